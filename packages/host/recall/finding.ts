/** What a query stands for, tried in this order: a name or a handle, a path, the words of a text. */

import { quote } from "../../core/quote.ts";
import { type Found, RECALL, type RecallPart } from "../../core/recall.ts";
import { RECALL_MESSAGE } from "../messages.ts";
import { IMAGE_TOKENS } from "../tokens.ts";
import { contentOf, type PartContent } from "./contents.ts";
import type { Library, Shelf } from "./library.ts";
import type { Entry } from "./pages.ts";
import { type Range, type Search, searchLiteral, searchWords } from "./search.ts";

export interface Finding {
	/** What was found, in a few words. */
	readonly heading: string;
	/** What is out of sight, to be given back. */
	readonly entries: readonly Entry[];
	/** Handles of what the model still sees. */
	readonly visible: readonly string[];
}

/** A text that stands in more parts than this needs more words. */
const MOST_PARTS = 40;

/** Answers nothing when the session holds nothing of that name, on that path, or with these words. */
export function findAsked(library: Library, query: string): Finding | undefined {
	for (const handle of new Set([query, unquote(query)])) {
		const asked = library.find(handle);
		if (asked) return gather(asked.shelf, asked.found);
	}
	const { all } = library;
	return (
		findFile(all, unquote(query)) ??
		findText(all, searchLiteral(query), "") ??
		findText(all, searchWords(query), "all of these words, ")
	);
}

/** The calls that worked on a file, then what else names it. */
function findFile(shelf: Shelf, path: string): Finding | undefined {
	const found = shelf.index.findPath(path);
	if (!found) return undefined;
	const onFile = gather(shelf, found);
	const named = findText(shelf, searchLiteral(path), "", new Set(found.parts));
	if (!named) return onFile;
	return {
		heading: `${onFile.heading}; then what else names it, ${named.heading}`,
		entries: [...onFile.entries, ...named.entries],
		visible: [...onFile.visible, ...named.visible],
	};
}

/** Lines for evicted episodes show names in quotes. */
function unquote(query: string): string {
	const quoted = /^".*"(?=(\.\.\.)?$)/s.exec(query)?.[0];
	if (quoted === undefined) return query;
	try {
		return String(JSON.parse(quoted));
	} catch {
		return quoted.slice(1, -1);
	}
}

function gather(shelf: Shelf, found: Found): Finding {
	const isOne = found.type === "part";
	const isWorth = (part: RecallPart) => part.items[0].type !== "reasoning" && !isCopy(shelf, part);
	// Reasoning, and copies that earlier recalls made, come only by a handle of their own.
	const parts = isOne ? found.parts : found.parts.filter(isWorth);
	const hidden = parts.filter((part) => !shelf.isVisible(part));
	return {
		heading: headingOf(shelf, found, parts),
		entries: hidden.flatMap((part) => {
			const content = contentOf(shelf, part);
			const texts = content.texts.map(({ name, text }) => ({
				name,
				text,
				ranges: [{ from: 0, to: text.length }],
			}));
			return [
				...entriesOf(shelf, part, content, texts, found.type === "path"),
				...imagesOf(shelf, part, content),
			];
		}),
		visible: parts.filter(shelf.isVisible).map(shelf.handleOf),
	};
}

/** Whether a part is a recall itself, by the model or by a person: what it brought stands elsewhere too. */
function isCopy({ messages }: Shelf, { items: [first] }: RecallPart): boolean {
	if (first.type === "call") return first.tool === RECALL;
	const message = messages[first.message];
	return message?.role === "custom" && message.customType === RECALL_MESSAGE;
}

/** Whether the query may come from here: what people wrote and is still sent, and the exchange in progress. */
function isBeforeEyes(shelf: Shelf, part: RecallPart): boolean {
	const [first] = part.items;
	return (first.type === "person" || first.message >= shelf.graph.lastExchange) && shelf.isVisible(part);
}

function headingOf(shelf: Shelf, found: Found, parts: readonly RecallPart[]): string {
	if (found.type === "path") return `${countOf(parts.length, "call")} on this file, newest first`;
	if (found.type === "part") return parts.map((part) => placeOf(shelf, part)).join("; ");
	const { kind, state, items } = found.episode;
	const last = items.at(-1);
	return `${state} ${kind}, ${last ? agoOf(shelf, last.message) : ""}, ${countOf(parts.length, "part")}`;
}

function placeOf(shelf: Shelf, { episode, items: [first] }: RecallPart): string {
	const ago = agoOf(shelf, first.message);
	return episode ? `in ${episode.kind} ${quote(episode.name.slice(0, 80))}, ${ago}` : ago;
}

function agoOf({ graph }: Shelf, message: number): string {
	const since = graph.messages.slice(message + 1);
	const turns = since.filter(({ author, items }) => author === "person" && items.length > 0).length;
	return turns === 0 ? "in this user turn" : `${countOf(turns, "user turn")} ago`;
}

function countOf(many: number, what: string): string {
	return `${many} ${what}${many === 1 ? "" : "s"}`;
}

function findText(
	shelf: Shelf,
	search: Search,
	how: string,
	except: ReadonlySet<RecallPart> = new Set(),
): Finding | undefined {
	const hits = shelf.index.parts.toReversed().flatMap((part) => {
		if (except.has(part) || isCopy(shelf, part) || isBeforeEyes(shelf, part)) return [];
		const content = contentOf(shelf, part);
		const texts = content.texts
			.map(({ name, text }) => ({ name, text, ranges: search(text) }))
			.filter(({ ranges }) => ranges.length > 0);
		if (texts.length === 0 && search(content.summary).length > 0) texts.push(inCallItself);
		return texts.length > 0 ? [{ part, content, texts, isVisible: shelf.isVisible(part) }] : [];
	});
	if (hits.length === 0) return undefined;
	const hidden = hits.filter(({ isVisible }) => !isVisible);
	const left = hidden.length > MOST_PARTS ? `; ${hidden.length - MOST_PARTS} older ones left out` : "";
	return {
		heading: `${how}in ${countOf(hits.length, "part")}, newest first${left}`,
		entries: hidden
			.slice(0, MOST_PARTS)
			.flatMap(({ part, content, texts }) => entriesOf(shelf, part, content, texts, true)),
		visible: hits.filter(({ isVisible }) => isVisible).map(({ part }) => shelf.handleOf(part)),
	};
}

/** The line of a call shows its short arguments anyway. */
const inCallItself = { name: "(in the call itself)", text: "", ranges: [{ from: 0, to: 0 }] };

interface Stretches {
	readonly name: string;
	readonly text: string;
	readonly ranges: readonly Range[];
}

/** The first entry of a part says what the part is. */
function entriesOf(
	shelf: Shelf,
	part: RecallPart,
	{ summary }: PartContent,
	texts: readonly Stretches[],
	withPlace: boolean,
): readonly Entry[] {
	const handle = quote(shelf.handleOf(part));
	const [first] = part.items;
	const place = withPlace ? `, ${agoOf(shelf, first.message)},` : "";
	const shown = texts.length > 0 ? texts : [{ name: "no result", text: "", ranges: [{ from: 0, to: 0 }] }];
	return shown
		.flatMap(({ name, text, ranges }) => ranges.map((range) => ({ name, text, ...range })))
		.map(({ name, ...stretch }, i) => {
			const words = i === 0 ? [`${handle}${place}`, summary, name] : [handle, name];
			return { type: "text", label: words.filter(Boolean).join(" "), ...stretch };
		});
}

function imagesOf(shelf: Shelf, part: RecallPart, { images }: PartContent): readonly Entry[] {
	return images.map((image) => ({
		type: "image",
		label: `${quote(shelf.handleOf(part))} ${quote(image.mimeType)}`,
		image,
		tokens: IMAGE_TOKENS,
	}));
}
