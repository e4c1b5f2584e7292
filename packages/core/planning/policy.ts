/** The interface of a policy: what it is given and what it returns. Policies are in `policies/`. */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import type { FixedTokens, ItemComponent } from "../ledger/ledger.ts";
import type { Form, Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import type { ModelPrices } from "../prices/prices.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ToolCall, ToolResult } from "../transcript/transcript.ts";

/** Named settings of low water: each leaves more in the context than the one before it, so that less is looked at again and requests cost more. */
export const dials = ["economy", "balanced", "quality"] as const;
export type Dial = (typeof dials)[number];

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
	/** The paper's tau, in tokens: no request is larger. */
	readonly budget: number;
	/** True if the budget is only a cap: the ceiling then stays below the next price tier, and passes begin before it. */
	readonly isAuto?: boolean;
	readonly tools: ToolTable;
	/** Size in tokens of a marker line on the wire, framing included. */
	readonly countMarker: (text: string) => number;
	/** Where a pass stops: a dial, or a share of the budget; `balanced` if absent. */
	readonly lowWater?: Dial | number;
	/** Where a pass stops, in tokens. It is then made now, also below the budget; `lowWater` does not matter. */
	readonly lowWaterTokens?: number;
	/** Components that a pass takes from first, until each is smaller by its excess; policies that work in batches do. */
	readonly relief?: readonly Relief[];
	/**
	 * True if the provider wants the thinking of the turn in progress back and does not bind it to the messages before it:
	 * a pass then keeps that thinking, and the whole exchange in progress. If not set, thinking behind the first change of a pass leaves with it.
	 */
	readonly keepsLoopThinking?: boolean;
	/** The model that the request goes to, as thinking names the one that sealed it. Thinking of another model is not kept. */
	readonly model?: string;
	/** True if the provider's cache is known to be cold, so that a prefix break costs nothing. */
	readonly isCold?: boolean;
	/** Prices of the model in use; without them low water is where the settings put it. */
	readonly prices?: ModelPrices;
	/** The text of an item that is still sent, arguments of calls included; without it, policies judge by digests. Asked only while a pass is made. */
	readonly textOf?: (item: Item) => string | undefined;
	/**
	 * Size in tokens that an output would have in a form; undefined if the host cannot show it so. Without it none is reduced.
	 * Asked only while a pass is made.
	 */
	readonly reducedSize?: (result: ToolResult, form: Form) => number | undefined;
	/** Ids of episodes that a person keeps: no pass touches them, whatever the pressure. */
	readonly pinned?: ReadonlySet<EpisodeId>;
	/** Ids of episodes that a person brought back: a pass takes them only where the budget could not be met otherwise. */
	readonly spared?: ReadonlySet<EpisodeId>;
	/** Add-ons that change what the policy plans, the innermost first; none if absent. */
	readonly layers?: readonly Layer[];
}

/** The sizes that passes go by, in tokens. */
export interface Limits {
	/** No request is larger: the budget forces a pass here, whether it pays or not. */
	readonly ceiling: number;
	/** Such a pass stops here. */
	readonly lowWater: number;
	/** True if the ceiling is below the next price tier, and not where the cap or the window would put it. */
	readonly isBelowTier: boolean;
}

/** An add-on to a policy: the same policy, whose passes differ. */
export type Layer = (policy: Policy) => Policy;

/** The chance of a second look, and the facts that it follows from; all in tokens. */
export interface LookChance {
	readonly chance: number;
	/** The tokens of it that nothing younger in the context shows. */
	readonly alone: number;
	readonly age: number;
	/** Since a call last edited one of its files; the length of the session if none did. */
	readonly edited: number;
}

/** An output of the context and what it is worth, whatever a pass takes of it. */
export interface WeighedOutput extends LookChance {
	readonly call: ToolCall;
	readonly episode: Episode;
	/** The tokens that leave with it: the call and its result as they are sent, and its share of the words around them. */
	readonly tokens: number;
	/** Saved by letting go of it, in the unit of the prices; not above 0 while it is worth its price. */
	readonly gain: number;
	/** True if no pass below the budget may take it: it is work in hand, or the model marked it to be kept. */
	readonly isHeld: boolean;
}

/** Plans passes and carries none out: a policy is a pure function of its input. */
export interface Policy {
	readonly name: string;
	/** True if it makes passes within the budget where they pay. */
	readonly passesEarly?: boolean | undefined;
	/** The pass to make before this request, or nothing when none is due. */
	plan(input: PlanInput): Pass | undefined;
	/** The sizes that it goes by. Algorithm 1 has none: it begins and stops at the budget. */
	limits?(input: PlanInput): Limits;
	/** The worth of each output of the context, of a policy that asks for it. */
	weigh?(input: PlanInput): readonly WeighedOutput[];
}

/** The policy, which treats these episodes as pinned as long as it can meet the budget without them. */
export function withSpared(policy: Policy, spared: ReadonlySet<EpisodeId> = new Set()): Policy {
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
