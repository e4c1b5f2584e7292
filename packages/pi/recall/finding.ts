/**
 * Finds the parts that a query names, tried in this order: a name or a handle, a path, the words of a text, most of them. Makes
 * entries of recall pages from them.
 */

import { countOf, MAX_NAME_LENGTH, quote, quoteStart, unquote } from "#basics";
import type { EpisodeId } from "#core/graph";
import { type Found, RECALL, type RecallPart } from "#core/recall";
import { customPartsOf, RECALL_MESSAGE } from "../codec/host-message.ts";
import { contentOf, type PartContent, type PartText } from "../codec/item-content.ts";
import { type Entry, noText } from "./pages.ts";
import type { RecallSources, SearchedSession } from "./recall-sources.ts";
import { type Search, scoreByWords, searchLiteral, searchWords } from "./search.ts";

/** A part by its handle, and the episode that it belongs to. */
interface VisiblePart {
	readonly handle: string;
	readonly episode: EpisodeId | undefined;
}

export interface Finding {
	/** A few words on what was found. */
	readonly heading: string;
	/** Texts and images that are out of sight and are given back. */
	readonly entries: readonly Entry[];
	/** The parts that the model still sees. */
	readonly visible: readonly VisiblePart[];
}

/** A query with hits in more parts than this needs more words. */
const MAX_PARTS = 40;

/** Answers nothing when the session holds nothing of that name, on that path, or with these words. */
export function findAsked({ find, all }: RecallSources, query: string): Finding | undefined {
	// Lines for evicted episodes show names in quotes.
	const asked = find(query) ?? find(unquote(query));
	if (asked) return gather(asked.session, asked.found);
	const parts = all.index.parts
		.filter((part) => !isCopy(all, part) && !isInPlainSight(all, part))
		.toReversed();
	return (
		findFile(all, parts, unquote(query)) ??
		findText(all, parts, query, searchLiteral(query)) ??
		findText(all, parts, query, searchWords(query), "all of these words, ") ??
		findClosest(all, parts, query)
	);
}

/** Parts that are searched, the newest first. */
type Parts = readonly RecallPart[];

/** Fewer words than this may be a mistyped name, and are answered with the closest names. */
const MIN_WORDS = 4;
const MAX_CLOSEST = 5;

/** The parts with the rarest words of a query that none holds whole, as a question. */
function findClosest(session: SearchedSession, parts: Parts, query: string): Finding | undefined {
	const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_$]{3,}/gu) ?? [])];
	if (words.length < MIN_WORDS) return undefined;
	const texts = parts.map((part) => {
		const { summary, args, texts: produced } = contentOf(session, part);
		return [summary, ...[...args, ...produced].map(({ text }) => text)].join("\n");
	});
	const scores = scoreByWords(texts, words);
	const ranked = parts.map((part, at) => ({ part, score: scores[at] ?? 0 }));
	ranked.sort((a, b) => b.score - a.score);
	const least = (ranked[0]?.score ?? 0) / 2;
	const best = ranked.slice(0, MAX_CLOSEST).filter(({ score }) => score > least);
	const closest = new Set(best.map(({ part }) => part));
	const newest = parts.filter((part) => closest.has(part));
	const search = searchWords(words.join(" "), false);
	return findText(session, newest, query, search, "none with all of these words, the closest ");
}

/** The calls that worked on a file, then what else names it. */
function findFile(session: SearchedSession, parts: Parts, path: string): Finding | undefined {
	const found = session.index.findPath(path);
	if (!found) return undefined;
	const onFile = gather(session, found);
	const others = parts.filter((part) => !found.parts.includes(part));
	const named = findText(session, others, path, searchLiteral(path));
	if (!named) return onFile;
	return {
		heading: `${onFile.heading}; then what else names it, ${named.heading}`,
		entries: [...onFile.entries, ...named.entries],
		visible: [...onFile.visible, ...named.visible],
	};
}

function gather(session: SearchedSession, found: Found): Finding {
	const isOne = found.type === "part";
	const isWorth = (part: RecallPart) => part.items[0].type !== "reasoning" && !isCopy(session, part);
	// Reasoning, and copies that earlier recalls made, come only by a handle of their own.
	const parts = isOne ? found.parts : found.parts.filter(isWorth);
	const hidden = parts.filter((part) => !session.isVisible(part));
	return {
		heading: headingOf(session, found, parts),
		entries: hidden.flatMap((part) => {
			const { summary, args, texts, images } = contentOf(session, part);
			return entriesOf(session, part, { summary, texts: [...args, ...texts], images }, found.type === "path");
		}),
		visible: parts.filter(session.isVisible).map((part) => visiblePart(session, part)),
	};
}

function visiblePart(session: SearchedSession, part: RecallPart): VisiblePart {
	return { handle: session.handleOf(part), episode: part.episode?.id };
}

/** Returns true if a part is a recall itself, by the model or by the user: its text is elsewhere too. */
function isCopy({ messages }: SearchedSession, { items: [first] }: RecallPart): boolean {
	if (first.type === "call") return first.tool === RECALL;
	const message = messages[first.message];
	return message !== undefined && customPartsOf(message)?.customType === RECALL_MESSAGE;
}

/** Returns true if the query may come from here: user messages that are still sent, and the exchange in progress. */
function isInPlainSight(session: SearchedSession, part: RecallPart): boolean {
	const [first] = part.items;
	return (first.type === "user" || first.message >= session.graph.lastExchange) && session.isVisible(part);
}

function headingOf(session: SearchedSession, found: Found, parts: readonly RecallPart[]): string {
	if (found.type === "path") return `${countOf(parts.length, "call")} on this file, newest first`;
	if (found.type === "part") return parts.map((part) => placeOf(session, part)).join("; ");
	const { kind, state, items } = found.episode;
	const last = items.at(-1);
	return `${state} ${kind}, ${last ? agoOf(session, last.message) : ""}, ${countOf(parts.length, "part")}`;
}

function placeOf(session: SearchedSession, { episode, items: [first] }: RecallPart): string {
	const ago = agoOf(session, first.message);
	return episode ? `in ${episode.kind} ${quoteStart(episode.name, MAX_NAME_LENGTH)}, ${ago}` : ago;
}

/** The parts that a search finds something in; those that hold the query as a word of its own come first. */
function findText(
	session: SearchedSession,
	parts: Parts,
	query: string,
	search: Search,
	how = "",
): Finding | undefined {
	const searchWord = searchLiteral(query, true);
	const found = parts.flatMap((part) => {
		const content = contentOf(session, part);
		const hit = searchContent(content, search);
		const isWord = hit && searchContent(content, searchWord) !== undefined;
		return hit ? [{ part, hit, isWord, isVisible: session.isVisible(part) }] : [];
	});
	const hits = found.toSorted((a, b) => Number(b.isWord) - Number(a.isWord));
	if (hits.length === 0) return undefined;
	const hidden = hits.filter(({ isVisible }) => !isVisible);
	const left = hidden.length > MAX_PARTS ? `; ${hidden.length - MAX_PARTS} older ones left out` : "";
	return {
		heading: `${how}in ${countOf(hits.length, "part")}, newest first${left}`,
		entries: hidden.slice(0, MAX_PARTS).flatMap(({ part, hit }) => entriesOf(session, part, hit, true)),
		visible: hits.filter(({ isVisible }) => isVisible).map(({ part }) => visiblePart(session, part)),
	};
}

/**
 * The parts of the texts with a hit; all that a call produced where only the call itself has one, since whoever asks so wants its
 * output. Undefined without a hit.
 */
function searchContent({ summary, args, texts, images }: PartContent, search: Search): Shown | undefined {
	const searchIn = (several: PartContent["texts"]): readonly PartText[] =>
		several.flatMap((part) => search(part.text).map((range) => ({ ...part, ...range })));
	const asked = searchIn(args);
	const produced = searchIn(texts);
	if (produced.length > 0) return { summary, texts: [...asked, ...produced], images: [] };
	if (asked.length === 0 && search(summary).length === 0) return undefined;
	const all = [...asked, ...texts];
	// The line of a call shows its short arguments anyway.
	return { summary, texts: all.length > 0 ? all : [{ name: "(in the call itself)", ...noText }], images };
}

/** The texts that are given back of a part. */
type Shown = Pick<PartContent, "summary" | "texts" | "images">;

/** The unit is characters; image types are short. */
const MAX_TYPE_LENGTH = 40;

/** The first entry of a part says what the part is. */
function entriesOf(
	session: SearchedSession,
	part: RecallPart,
	{ summary, texts, images }: Shown,
	withPlace: boolean,
): readonly Entry[] {
	const handle = quote(session.handleOf(part));
	const [first] = part.items;
	const place = withPlace ? `, ${agoOf(session, first.message)},` : "";
	const textParts = texts.length > 0 ? texts : [{ name: "no result", ...noText }];
	return [
		...textParts.map(({ name, ...textPart }, i) => {
			const words = i === 0 ? [`${handle}${place}`, summary, name] : [handle, name];
			return { label: words.filter(Boolean).join(" "), ...textPart };
		}),
		...images.map((image) => {
			return { label: `${handle} ${quoteStart(image.mimeType, MAX_TYPE_LENGTH)}`, image, ...noText };
		}),
	];
}

/** How long ago a message came, in user turns. */
function agoOf({ graph }: SearchedSession, message: number): string {
	const since = graph.messages.slice(message + 1);
	const turns = since.filter(({ author, items }) => author === "user" && items.length > 0).length;
	return turns === 0 ? "in this user turn" : `${countOf(turns, "user turn")} ago`;
}
