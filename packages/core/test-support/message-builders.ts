/** Short words for hand-built transcripts. Ids follow from positions: block 2 of message 5 is "5.2". */
import { DELIMITER } from "../annotation/delimiter.ts";
import { foldTranscript } from "../graph/fold.ts";
import type { Episode, Graph } from "../graph/graph.ts";
import type { Digest, Item, TranscriptMessage } from "../transcript/transcript.ts";
import { testTools } from "./tools.ts";

type Unplaced<T> = T extends Item ? Omit<T, "id" | "message"> : never;
export type ItemDraft = Unplaced<Item>;

export interface MessageDraft {
	readonly author: TranscriptMessage["author"];
	readonly time?: number;
	readonly items: readonly ItemDraft[];
}

type Arguments = Readonly<Record<string, unknown>>;

export function build(drafts: readonly MessageDraft[]): readonly TranscriptMessage[] {
	return drafts.map(({ items, ...draft }, message) => ({
		...draft,
		items: items.map((item, block) => ({ ...item, id: `${message}.${block}`, message })),
	}));
}

export function person(tokens = 10): MessageDraft {
	return { author: "user", items: [{ type: "user", tokens }] };
}

/** Output of a `!` command: a person's, though the host wrote it down. */
export function shell(tokens = 10): MessageDraft {
	return { author: "host", items: [{ type: "user", tokens }] };
}

export function note(tokens = 10): MessageDraft {
	return { author: "host", items: [{ type: "note", tokens }] };
}

export function silence(): MessageDraft {
	return { author: "host", items: [] };
}

export function model(...items: readonly ItemDraft[]): MessageDraft {
	return { author: "model", items };
}

export function result(callId: string, tokens = 10, digest?: Partial<Digest>): MessageDraft {
	return { author: "tool", items: [{ type: "result", callId, isError: false, tokens, ...digested(digest) }] };
}

/** An answer of the model, and a result of 10 tokens for each of its calls. */
export function exchange(...items: readonly ItemDraft[]): readonly MessageDraft[] {
	return answered(10, ...items);
}

/** An answer of the model, and a result of so many tokens for each of its calls. */
export function answered(tokens: number, ...items: readonly ItemDraft[]): readonly MessageDraft[] {
	const results = items.flatMap((item) => (item.type === "call" ? [result(item.callId, tokens)] : []));
	return [model(...items), ...results];
}

export function failure(callId: string, tokens = 10): MessageDraft {
	return { author: "tool", items: [{ type: "result", callId, isError: true, tokens }] };
}

export function text(tokens = 10, findings = ""): ItemDraft {
	return { type: "text", tokens, ...(findings !== "" && { findings }) };
}

/** An item that says nothing: only its framing counts. */
export function blank(type: "text" | "reasoning" = "text"): ItemDraft {
	return { type, tokens: 1, isBlank: true };
}

export function reasoning(tokens = 10): ItemDraft {
	return { type: "reasoning", tokens };
}

export function call(
	callId: string,
	tool: string,
	args: Arguments = {},
	tokens = 10,
	digest?: Partial<Digest>,
): ItemDraft {
	return { type: "call", callId, tool, arguments: args, tokens, ...digested(digest) };
}

function digested(digest: Partial<Digest> | undefined) {
	return digest && { digest: { lines: [], paths: [], ...digest } };
}

export function startExpl(callId: string, name: string): ItemDraft {
	return call(callId, DELIMITER, { action: "start", name, type: "expl" });
}

export function startAct(callId: string, name: string, ...dependencies: readonly string[]): ItemDraft {
	return call(callId, DELIMITER, { action: "start", name, type: "act", dependencies });
}

export function end(callId: string, description?: string): ItemDraft {
	return call(callId, DELIMITER, { action: "end", ...(description !== undefined && { description }) });
}

export function fold(...drafts: readonly MessageDraft[]): Graph {
	return foldTranscript(build(drafts), testTools);
}

/** A call by its call id, its result as "id result", everything else by its type. */
export function labelOf(item: Item): string {
	if (item.type === "call") return item.callId;
	return item.type === "result" ? `${item.callId} result` : item.type;
}

/** The items with these labels, in order. */
export function labelled({ messages }: Graph, ...labels: readonly string[]): readonly Item[] {
	return messages.flatMap(({ items }) => items.filter((item) => labels.includes(labelOf(item))));
}

/** A declared episode by its name, a run that nobody marked by its place among all episodes: `unmarked-2`. */
export function titleOf(graph: Graph, episode: Episode): string {
	return episode.origin === "declared" ? episode.name : `unmarked-${graph.episodes.indexOf(episode) + 1}`;
}

/** The content of every episode, by title. */
export function contents(graph: Graph): Readonly<Record<string, readonly string[]>> {
	return Object.fromEntries(
		graph.episodes.map((episode) => [titleOf(graph, episode), episode.items.map(labelOf)]),
	);
}

export function episodeOf(graph: Graph, name: string): Episode {
	const episode = graph.episodes.find((candidate) => candidate.name === name);
	if (!episode) throw new Error(`no episode "${name}" among ${graph.episodes.map((each) => each.name)}`);
	return episode;
}
