/** What every policy is given and what it answers. A policy is pure: it plans, and the host carries the plan out. */

import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import { computeLedger, type FixedTokens } from "../ledger/ledger.ts";
import type { Blocker, Fold, Pass, Strip, View } from "../log/log.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { ItemId, ToolCall } from "../transcript/transcript.ts";
import type { CachePrices } from "./economics.ts";
import { keptEpisodes } from "./pins.ts";

export interface PlanInput {
	readonly graph: Graph;
	readonly view: View;
	readonly fixed: FixedTokens;
	/** The paper's tau, in tokens. */
	readonly budget: number;
	readonly tools: ToolTable;
	/** Size in tokens of a marker line on the wire, framing included. */
	readonly countMarker: (text: string) => number;
	/** Where a pass stops, as a share of the budget; policies that work in batches have a default. */
	readonly lowWater?: number;
	/** Whether the provider's cache is known to be cold, so that a prefix break costs nothing. */
	readonly isCold?: boolean;
	/** Of the model in use; without them low water is where it is wished to be. */
	readonly prices?: CachePrices;
	/**
	 * Whether the disk can give back what a call showed: true if it can, false if nothing can, undefined if nobody
	 * knows. Asked only while a pass is made.
	 */
	readonly canRestore?: (call: ToolCall) => boolean | undefined;
	/** Ids of episodes that a person keeps: no pass touches them, whatever the pressure. */
	readonly pinned?: ReadonlySet<EpisodeId>;
}

export interface Policy {
	readonly name: string;
	/** The pass to make before this request, or nothing when none is due. */
	plan(input: PlanInput): Pass | undefined;
	/** Where its passes stop, in tokens; policies without one stop at the budget. */
	lowWater?(input: PlanInput): number;
}

/** Assemble a pass from its strips; what still blocks it is named when it missed its target. */
export function makePass(
	policy: string,
	input: PlanInput,
	before: number,
	after: number,
	strips: readonly Strip[],
	folds: readonly Fold[] = [],
): Pass {
	const { budget } = input;
	const blockers = after > budget ? findBlockers(input, strips, after) : [];
	const parts = { strips, ...(folds.length > 0 && { folds }), blockers };
	return { version: 1, policy, budget, before, after, ...parts, ...momentOf(input) };
}

/** What tells later when a pass was made. */
export function momentOf({ graph }: Pick<PlanInput, "graph">): Pick<Pass, "newest"> {
	const { id } = readNewest(graph.messages);
	return id === undefined ? {} : { newest: id };
}

/** The last item of a session, evicted or not. */
const readNewest = createIncrementalFold<{ id: ItemId | undefined }>(
	() => ({ id: undefined }),
	(newest, { items }) => {
		newest.id = items.at(-1)?.id ?? newest.id;
	},
);

/**
 * Name what holds a context above its budget once nothing safe is left to evict (paper 4.4, principle 3),
 * largest first.
 */
function findBlockers(input: PlanInput, strips: readonly Strip[], after: number): readonly Blocker[] {
	const { graph, view, fixed } = input;
	const ledger = computeLedger(graph, view, fixed);
	const taken = new Map<string, number>();
	for (const { episode, tokens } of strips) taken.set(episode, (taken.get(episode) ?? 0) + tokens);
	const blockers: Blocker[] = [
		{
			what: "system prompt and tools",
			tokens: ledger.system + ledger.tools,
			remedy: "use fewer tools or shorter AGENTS.md files and skills, or raise the budget",
		},
		{
			what: "prologue",
			tokens: ledger.prologue,
			remedy: "begin a new session with a shorter first message, or raise the budget",
		},
		{ what: "user turns", tokens: ledger.user, remedy: "raise the budget, or begin a new session" },
	];
	const left = ({ id, tokens }: Episode) =>
		tokens - (view.episodes.get(id)?.removedTokens ?? 0) - (taken.get(id) ?? 0);
	for (const episode of graph.episodes) {
		if (episode.state === "closed") continue;
		const what = `open episode "${episode.name}"`;
		blockers.push({ what, tokens: left(episode), remedy: remedyFor(episode) });
	}
	blockers.push(...findPins(input, left));
	blockers.push({
		what: "the exchange in progress, descriptions and what open acts depend on",
		tokens: after - blockers.reduce((sum, { tokens }) => sum + tokens, 0),
		remedy: "end the open act, or raise the budget",
	});
	return blockers.filter((blocker) => blocker.tokens > 0).sort((a, b) => b.tokens - a.tokens);
}

/** All pins together, since each of them may be small. */
function findPins(input: PlanInput, left: (episode: Episode) => number): readonly Blocker[] {
	const kept = keptEpisodes(input);
	const pins = input.graph.episodes
		.filter(({ id, state }) => state === "closed" && kept.has(id))
		.toSorted((a, b) => left(b) - left(a));
	const [largest] = pins;
	if (!largest) return [];
	const what = pins.length === 1 ? `pinned episode "${largest.name}"` : `${pins.length} pinned episodes`;
	const tokens = pins.reduce((sum, episode) => sum + left(episode), 0);
	return [{ what, tokens, remedy: `/cwl unpin ${largest.name}, or raise the budget` }];
}

function remedyFor(episode: Episode): string {
	if (episode.origin === "declared") return "end the episode";
	return "send the next user turn, which closes what nobody marked, or raise the budget";
}
