/**
 * Recall questions that recorded sessions asked by themselves: a reply makes a call whose output already stood in an
 * output that is out of sight. What the reply says before the call is the query; those outputs are what is to be found.
 */
import type { FixedTokens } from "#core/ledger";
import { fadeAges, sentBy } from "#core/projection";
import { createRecallIndex, type RecallPart } from "#core/recall";
import { findFileNames, findIdentifiers } from "#core/transcript";
import { answerQuestions, makeQuestions } from "#loopback/worker";
import {
	type CountTokens,
	contentText,
	countedTexts,
	type HostMessage,
	itemTexts,
	toolCallsOf,
} from "#pi/codec";
import { answerRecall } from "#pi/recall";
import { createManagedSession, policyByName } from "#pi/session";

/** Of the lines of the new output, this share must stand in the old one; a line counts from so many characters on. */
const SHARE = 0.6;
const MIN_LINE = 12;
const MIN_LINES = 5;
/** The end of what a reply says, the beginning of what a person says; in characters. */
const MAX_QUERY = 400;

export interface Document {
	readonly key: string;
	readonly text: string;
}
export interface Question {
	readonly session: string;
	/** By condition. */
	readonly queries: Readonly<Record<string, string>>;
	readonly candidates: readonly Document[];
	readonly relevant: ReadonlySet<string>;
	/** Keys of what today's recall gives back, all pages, in its order; `ms` is the time of the first page. */
	readonly recall: (query: string) => { readonly found: readonly string[]; readonly ms: number };
}

interface Settings {
	readonly budget: number;
	readonly fixed: FixedTokens;
	readonly count: CountTokens;
}
type Managed = ReturnType<typeof createManagedSession>;

/** The questions of a session under `cwl` at a budget; every request before them is made, so that passes are as in life. */
export function* askOf(
	session: string,
	messages: readonly HostMessage[],
	settings: Settings,
): Generator<Question> {
	const managed = createManagedSession(settings.count);
	const lines = messages.map(linesOf);
	for (const [position, reply] of messages.entries()) {
		if (reply.role !== "assistant") continue;
		const history = messages.slice(0, position);
		managed.request(history, { policy: policyByName("cwl"), ...settings });
		const sources = sourcesOf(messages, lines, position);
		const queries = queriesOf(messages, position);
		if (sources.size === 0 || !queries) continue;
		const { parts, isVisible, ...held } = lookAt(managed, history, settings.count);
		const holding = parts.filter(({ items }) => items.some(({ message }) => sources.has(message)));
		// What is still in sight needs no recall.
		if (holding.length === 0 || holding.some(isVisible)) continue;
		yield { session, queries, relevant: new Set(holding.map(({ items }) => items[0].id)), ...held };
	}
}

/** The project's own questions about a scripted session, those that no request answers any more. */
export function* askScripted(
	session: string,
	messages: readonly HostMessage[],
	prompts: readonly string[],
	settings: Settings,
): Generator<Question> {
	const managed = createManagedSession(settings.count);
	let sent: readonly HostMessage[] = [];
	for (const [at, { role }] of [...messages, { role: "assistant" }].entries()) {
		const request = { policy: policyByName("cwl"), ...settings };
		if (role === "assistant") sent = managed.request(messages.slice(0, at), request).messages;
	}
	const { isVisible: _, ...held } = lookAt(managed, messages, settings.count);
	for (const question of makeQuestions(prompts, messages.flatMap(countedTexts))) {
		const answers = (texts: readonly string[]) => answerQuestions([question], texts).inSight === 1;
		if (answers(sent.flatMap(countedTexts))) continue;
		const relevant = new Set(held.candidates.filter(({ text }) => answers([text])).map(({ key }) => key));
		const queries = { "own, its subject": question.subject, "own, the question": question.question };
		if (relevant.size > 0) yield { session, queries, relevant, ...held };
	}
}

function lookAt(managed: Managed, messages: readonly HostMessage[], count: CountTokens) {
	const context = { messages, ...managed.inspect(messages) };
	const { graph, view } = context;
	const isSent = sentBy(graph, view);
	const ageOf = fadeAges(graph, view);
	const textOf = itemTexts(messages, graph);
	const isVisible = ({ items }: RecallPart) =>
		items.every((item) => isSent(item) && ageOf(item) === undefined && !view.released.has(item.id));
	const parts = createRecallIndex(graph).parts;
	const keys = new Map(parts.map(({ handle, items }) => [handle, items[0].id]));
	const hidden = parts.filter((part) => !isVisible(part));
	return {
		...{ parts, isVisible },
		candidates: hidden.map(({ items }) => {
			return { key: items[0].id, text: items.map((item) => textOf(item) ?? "").join("\n") };
		}),
		recall(query: string) {
			const ask = (page: number, counter: CountTokens) =>
				answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, counter);
			const start = performance.now();
			ask(1, count);
			const ms = performance.now() - start;
			// Texts that count as nothing stand on a few pages.
			const { pages } = ask(1, () => -1);
			const text = Array.from({ length: pages }, (_, i) => ask(i + 1, () => -1).text).join("\n");
			const handles = text.matchAll(/^---\d* ("(?:[^"\\]|\\.)*")/gm);
			const found = [...handles].map(([, handle = ""]) => String(JSON.parse(handle)));
			return { ms, found: [...new Set(found.map((handle) => keys.get(handle) ?? handle))] };
		},
	};
}

function linesOf(message: HostMessage): ReadonlySet<string> {
	const text = message.role === "toolResult" ? contentText(message.content) : "";
	// Line numbers are not part of a line.
	const lines = text.split("\n").map((line) => line.replace(/^\s*\d+(→|\t|: ?|\| ?)/, "").trim());
	return new Set(lines.filter((line) => line.length >= MIN_LINE));
}

/** Earlier results that hold most of what a call of this reply brought. */
function sourcesOf(
	messages: readonly HostMessage[],
	lines: readonly ReadonlySet<string>[],
	position: number,
): ReadonlySet<number> {
	const reply = messages[position];
	const ids = new Set(reply?.role === "assistant" ? toolCallsOf(reply).map(({ id }) => id) : []);
	const found = new Set<number>();
	for (let at = position + 1; messages[at]?.role === "toolResult"; at += 1) {
		const result = messages[at];
		const now = lines[at] ?? new Set();
		if (result?.role !== "toolResult" || !ids.has(result.toolCallId) || now.size < MIN_LINES) continue;
		for (let before = 0; before < position; before += 1) {
			const old = lines[before] ?? new Set();
			if (old.size < now.size * SHARE) continue;
			const shared = [...now].filter((line) => old.has(line)).length;
			if (shared >= now.size * SHARE) found.add(before);
		}
	}
	return found;
}

/** What was really said right before the call, the same without names, its names alone, and what the call asked for. */
function queriesOf(messages: readonly HostMessage[], position: number): Record<string, string> | undefined {
	const [reply, before] = [messages[position], messages[position - 1]];
	if (reply?.role !== "assistant") return undefined;
	const blocks = reply.content;
	const said = blocks
		.flatMap((block) => (block.type === "text" ? [block.text] : []))
		.join("\n")
		.trim();
	const thought = blocks
		.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []))
		.join("\n")
		.trim();
	const person = before?.role === "user" ? contentText(before.content).trim().slice(0, MAX_QUERY) : "";
	const words = lastOf(said) || lastOf(thought) || person;
	if (words.length < MIN_LINE) return undefined;
	const names = [...new Set([...findFileNames(words), ...findIdentifiers(words)])];
	const masked = words
		.split(/\s+/)
		.filter(
			(word) =>
				!/[/_\\`(){}[\]<>=]|\w\.\w|\d|[a-z][A-Z]/.test(word) && !names.some((name) => word.includes(name)),
		)
		.join(" ");
	const args: Readonly<Record<string, unknown>> = toolCallsOf(reply)[0]?.arguments ?? {};
	const keys = ["file_path", "path", "pattern", "command", "cmd", "query"];
	const asked = keys.map((key) => args[key]).find((value) => typeof value === "string" && value.length > 1);
	return {
		words,
		masked,
		name: names[0] ?? "",
		asked: typeof asked === "string" ? asked.slice(0, 1_000) : "",
	};
}

/** The last paragraph, and of it the end. */
function lastOf(text: string): string {
	const paragraph = text.split(/\n\s*\n/).findLast((part) => /\w/.test(part)) ?? "";
	return paragraph.trim().slice(-MAX_QUERY);
}
