/**
 * One eviction pass as the log keeps it. The log is append-only and belongs to a branch of the session. A pass names
 * the items that it took rather than the rule that chose them, so that the projection is a function of transcript and
 * log alone.
 */
import type { EpisodeId } from "../graph/graph.ts";
import type { ItemId } from "../transcript/transcript.ts";

/** 1 reasoning, 2 bulk outputs, 3 intermediate artifacts, 4 the whole episode (paper 4.4). */
export type StripLevel = 1 | 2 | 3 | 4;

/** The line that replaces evicted content. */
export interface Marker {
	/** The item whose place the line takes. */
	readonly anchor: ItemId;
	readonly text: string;
	/** Tokens on the wire, framing included. */
	readonly tokens: number;
}

/** The items that a pass takes from one episode. */
export interface Strip {
	readonly episode: EpisodeId;
	readonly level: StripLevel;
	/** A call names its result too. */
	readonly items: readonly ItemId[];
	/** Tokens of the items and their results; the marker is not deducted. */
	readonly tokens: number;
	readonly marker?: Marker;
}

/** One line of the episode index: it replaces the lines of several evicted episodes. */
export interface IndexLine {
	readonly episodes: readonly EpisodeId[];
	readonly marker: Marker;
}

/** The user's permission to shorten an old message of theirs: only the beginning and the end of its text stay. */
export interface Release {
	readonly item: ItemId;
	/** Characters kept at the beginning, and at the end. */
	readonly head: number;
	readonly tail: number;
	/** The line between them. */
	readonly mark: string;
	/** Tokens freed, after the mark is deducted. */
	readonly tokens: number;
}

/** How little of an output is left: 1 to 3 show its structure in ever fewer lines, 4 is one line in its place. */
export type Form = 1 | 2 | 3 | 4;

/** An output that is sent at lower detail. Its text is a function of the whole output and the form. */
export interface Reduction {
	readonly episode: EpisodeId;
	/** The call of the output: call and output leave together. */
	readonly item: ItemId;
	readonly form: Form;
	/** Tokens that a request is smaller than with the whole output. */
	readonly tokens: number;
}

/**
 * The reasons to make a pass: the budget or that of a component; a cache that was cold anyway; finished work, once the next
 * begins; spent outputs at the beginning of a turn; or an expected saving.
 */
export const passReasons = [
	"over budget",
	"over a hard limit",
	"cold cache",
	"next work begins",
	"turn begins",
	"pays for itself",
] as const;

/** Why a pass was made and what it was expected to do, as it is kept in the log. */
export interface Decision {
	readonly reason: (typeof passReasons)[number];
	/** Tokens by which every later request is smaller. */
	readonly freed: number;
	/** Tokens that were cached behind the cut and are written again: the price of the prefix break. */
	readonly rewritten: number;
	/** Tokens that a request adds, on the average of the session. */
	readonly growth: number;
	/** Requests until the next pass. */
	readonly requestsToNext: number;
	/** Requests after which it has paid for itself; absent without prices. */
	readonly paidBackAfter?: number;
}

/** One eviction pass: what it took and why it stopped. All sizes in tokens. */
export interface Pass {
	readonly version: 1;
	readonly policy: string;
	readonly budget: number;
	/** The sizes in the provider's tokens, as they were estimated then; absent in a pass that the library made. */
	readonly reported?: Readonly<Record<"budget" | "before" | "after", number>>;
	/** True if the provider had reported nothing of the model yet. */
	readonly isEstimated?: boolean;
	/** The tokens of text that counted as much as one of sealed thinking then; absent in a pass that the library made. */
	readonly sealedWeight?: number;
	readonly before: number;
	readonly after: number;
	readonly strips: readonly Strip[];
	/** Lines that the episode index gains after the strips; absent or empty if none. */
	readonly indexLines?: readonly IndexLine[];
	/** Outputs that are sent at lower detail from this pass on; absent or empty if none. */
	readonly reductions?: readonly Reduction[];
	/** Only in passes that the user asked for. */
	readonly releases?: readonly Release[];
	/** The model of its request; absent where that is unknown. */
	readonly model?: string;
	/** Tokens of thinking that left because it was bound to what the pass changed; absent if none. */
	readonly forfeited?: number;
	/** Empty if the pass met its target. */
	readonly blockers: readonly Blocker[];
	/** Expected cost and savings; absent if they were not computed. */
	readonly decision?: Decision;
	/** The last item of the session at the time of the pass; absent in older logs. */
	readonly newest?: ItemId;
}

/** The episodes that a pass took items from or whose outputs it reduced, in its order. */
export function touchedEpisodes({ strips, reductions = [] }: Pass): ReadonlySet<EpisodeId> {
	return new Set([...strips, ...reductions].map(({ episode }) => episode));
}

/** Returns true if a pass took, grouped, reduced or released anything; otherwise it only names blockers. */
export function changesContext({ strips, indexLines = [], reductions = [], releases = [] }: Pass): boolean {
	return strips.length > 0 || indexLines.length > 0 || reductions.length > 0 || releases.length > 0;
}

/** The reasons why a context is still over its budget after a pass, as data: hosts put them into words. */
export type Blocker =
	/** The system prompt and the tool definitions. */
	| { readonly code: "fixed"; readonly tokens: number }
	| { readonly code: "prologue"; readonly tokens: number }
	/** User turns after the prologue. */
	| { readonly code: "user-turns"; readonly tokens: number }
	| {
			readonly code: "open-episode";
			/** Name of the episode. */
			readonly episode: string;
			readonly origin: "declared" | "inferred";
			readonly tokens: number;
	  }
	/** All pinned episodes together; `largest` is the name of the largest of them. */
	| {
			readonly code: "pinned-episodes";
			readonly count: number;
			readonly largest: string;
			readonly tokens: number;
	  }
	/** Expls that an open act depends on. */
	| {
			readonly code: "dependencies";
			/** The name of the act. */
			readonly act: string;
			readonly tokens: number;
	  }
	/** The last answer and its results, as far as their episodes are closed. */
	| { readonly code: "exchange"; readonly tokens: number }
	/** The rest: lines for evicted episodes, and content whose eviction would cost more than it frees. */
	| { readonly code: "in-use"; readonly tokens: number };
