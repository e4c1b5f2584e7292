/**
 * The episode graph (paper 4.3): typed (edges go from expl to act), append-only, and acyclic because a dependency
 * must be closed when it is declared. `fold.ts` builds it from the messages; it is never saved.
 */
import type { EpisodeKind, ProtocolState } from "../annotation/delimiter.ts";
import type { Item, ItemId, Reasoning, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import type { History } from "./history.ts";

export type EpisodeId = string;

export interface Episode {
	/** The declared name, or the id of the first item of an inferred episode. */
	readonly id: EpisodeId;
	readonly name: string;
	readonly kind: EpisodeKind;
	/** `declared` if the model marked the episode, `inferred` if the fallback drew its boundaries. */
	readonly origin: "declared" | "inferred";
	readonly state: "open" | "closed";
	/** Ids of the expl episodes that this act declared. */
	readonly dependencies: readonly EpisodeId[];
	/** The model's record at the end of an expl; of every other episode the findings that its texts state. */
	readonly description: string | undefined;
	/** The model marked it to be evicted last; absent if not. */
	readonly isKept?: true;
	/** Number of user turns before the episode began. */
	readonly turn: number;
	readonly items: readonly Item[];
	/** Sum of the items, in tokens. */
	readonly tokens: number;
	/** Number of the episode in the session, from 0. */
	readonly place: number;
}

/** Grows in place with its session. All sizes in tokens. */
export interface Graph {
	readonly messages: readonly TranscriptMessage[];
	/** Items before the model's first word: never evicted (paper 4.3, prologue protection). */
	readonly prologue: readonly Item[];
	readonly prologueTokens: number;
	/** User turns after the prologue. */
	readonly userMessages: readonly Item[];
	readonly userTokens: number;
	/** Tokens of all items, evicted ones included. */
	readonly tokens: number;
	/** All episodes of the session by first item, oldest first. The place of each is its index. */
	readonly episodes: readonly Episode[];
	/** The place of each episode, by its id. */
	readonly places: ReadonlyMap<EpisodeId, number>;
	/** The acts that declared each expl, by its id. */
	readonly dependents: ReadonlyMap<EpisodeId, readonly EpisodeId[]>;
	/** All thinking, in order. */
	readonly reasoning: readonly Reasoning[];
	readonly resultOf: ReadonlyMap<ItemId, ToolResult>;
	/** From the id of a result to the id of its call. */
	readonly callOf: ReadonlyMap<ItemId, ItemId>;
	/** From the id of a result that came twice to the id of its call, which has another one. */
	readonly repeatOf: ReadonlyMap<ItemId, ItemId>;
	readonly protocol: ProtocolState;
	/** True once the model has marked an episode: unannotated content is then an implicit expl, evicted last. */
	readonly annotated: boolean;
	/** Index of the last model message; it and what follows is the exchange in progress, or -1 before any. */
	readonly lastExchange: number;
	/**
	 * Index of the first message after the last one that neither model nor tools wrote: the tool loop in progress.
	 * Providers want the reasoning of its messages back as long as anything of them is sent.
	 */
	readonly openLoop: number;
	/** Figures over all messages, evicted ones included. */
	readonly history: History;
}

/** The component of the ledger that an episode counts to: its kind, or neither where the model marks and did not mark it. */
export type EpisodeComponent = "act" | "expl" | "unannotated";

export function componentOf(graph: Graph, episode: Episode): EpisodeComponent {
	return graph.annotated && episode.origin === "inferred" ? "unannotated" : episode.kind;
}

/** The open episodes, oldest first. They are the last ones: what comes goes to the open one until it closes. */
export function openEpisodes({ episodes }: Graph): readonly Episode[] {
	return episodes.slice(episodes.findLastIndex(({ state }) => state === "closed") + 1);
}

/** The episodes with these ids that the graph holds, oldest first. */
export function findEpisodes({ episodes, places }: Graph, ids: Iterable<EpisodeId>): readonly Episode[] {
	const found = [...new Set(ids)].flatMap((id) => places.get(id) ?? []);
	return found.sort((a, b) => a - b).flatMap((place) => episodes[place] ?? []);
}

/**
 * An item of a whole session in a graph that begins with a summary and ends with the same messages, where notes may have other ids;
 * undefined if it was summarized. In the same session, the item itself.
 */
export function itemIn(next: Graph, { messages }: Graph, item: Item): Item | undefined {
	const summarized = messages.length - next.messages.length;
	const message = item.message - summarized;
	const block = messages[item.message]?.items.indexOf(item) ?? 0;
	return message > 0 || summarized === 0 ? next.messages[message]?.items[block] : undefined;
}
