/** The interface of a policy: what it is given and what it returns. Policies are in `policies/`. */
import type { EpisodeId, Graph } from "../graph/graph.ts";
import type { ItemComponent } from "../ledger/component-usage.ts";
import type { FixedTokens } from "../ledger/ledger.ts";
import type { FadeAge, Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import type { ModelPrices } from "../prices/prices.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ToolCall, ToolResult } from "../transcript/transcript.ts";

/** A component that is over its hard limit, and by how many tokens it is to become smaller. */
export interface Relief {
	readonly component: ItemComponent;
	readonly excess: number;
}

/** Everything that a plan depends on. All sizes in tokens. */
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
	/** Where a pass stops, in tokens. It is then made now, also below the budget; `lowWater` does not matter. */
	readonly lowWaterTokens?: number;
	/** Components that a pass takes from first, until each is smaller by its excess; policies that work in batches do. */
	readonly relief?: readonly Relief[];
	/**
	 * True if the provider wants the thinking of the turn in progress back and does not bind it to the messages before it:
	 * a pass then keeps that thinking, and the whole exchange in progress. If not set, thinking behind the first change of a pass leaves with it.
	 */
	readonly keepsLoopThinking?: boolean;
	/** True if the provider's cache is known to be cold, so that a prefix break costs nothing. */
	readonly isCold?: boolean;
	/** Prices of the model in use; without them low water is where the settings put it. */
	readonly prices?: ModelPrices;
	/**
	 * Tells if the disk can restore the output of a call: true if it can, false if nothing can, undefined if unknown.
	 * Asked only while a pass is made.
	 */
	readonly canRestore?: (call: ToolCall) => boolean | undefined;
	/** The text of an item that is still sent, arguments of calls included; without it, policies judge by digests. Asked only while a pass is made. */
	readonly textOf?: (item: Item) => string | undefined;
	/**
	 * Size in tokens that an output would have at an age; undefined if the host cannot fade it. Without it nothing is faded.
	 * Asked only while a pass is made.
	 */
	readonly fadedSize?: (result: ToolResult, age: FadeAge) => number | undefined;
	/** Ids of episodes that a person keeps: no pass touches them, whatever the pressure. */
	readonly pinned?: ReadonlySet<EpisodeId>;
}

/** Plans passes and carries none out: a policy is a pure function of its input. */
export interface Policy {
	readonly name: string;
	/** The pass to make before this request, or nothing when none is due. */
	plan(input: PlanInput): Pass | undefined;
	/** The size in tokens above which it makes passes, if that is less than the budget. */
	highWater?(input: PlanInput): number;
	/** Where its passes stop, in tokens; policies without one stop at the budget. */
	lowWater?(input: PlanInput): number;
}

/** The policy, which treats these episodes as pinned as long as it can meet the budget without them. */
export function sparing(policy: Policy, spared: ReadonlySet<EpisodeId>): Policy {
	if (spared.size === 0) return policy;
	const keep = (input: PlanInput) => ({ ...input, pinned: new Set([...(input.pinned ?? []), ...spared]) });
	return {
		...policy,
		plan(input) {
			const pass = policy.plan(keep(input));
			return pass && pass.after > input.budget ? policy.plan(input) : pass;
		},
	};
}
