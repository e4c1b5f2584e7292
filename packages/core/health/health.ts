/** The health of a session's context in figures that need no model. Fidelity needs the texts and is the host's. */

import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import type { PlanInput } from "../planning/policy.ts";
import { type BurnRate, measureBurnRate } from "./burn-rate.ts";
import { measureCompressionRatio } from "./compression-ratio.ts";
import { type EvictionRate, measureEvictionRate } from "./eviction-rate.ts";
import { measureReadableThinking, type ReadableThinking } from "./readable-thinking.ts";
import { findRegrets, type Regret } from "./regret.ts";
import { type PassRegret, regretShare, sumRegretByPass } from "./regret-by-pass.ts";
import { measureToolBloat, type ToolBloat } from "./tool-bloat.ts";
import { measureUtilisation } from "./utilisation.ts";

type HealthInput = Pick<PlanInput, "graph" | "view" | "fixed" | "budget">;

/** Figures that a running session has at hand. Sizes in counted tokens. */
export interface RunningHealth extends Vitals {
	readonly regret: {
		readonly share: number;
		readonly passes: readonly PassRegret[];
		readonly all: readonly Regret[];
	};
}

/** The figures that cost little enough for every turn. */
export interface Vitals {
	/** Share of the budget that the next request uses. */
	readonly utilisation: number;
	readonly eviction: EvictionRate;
	readonly compressionRatio: number;
	readonly burn: BurnRate;
	readonly bloat: ToolBloat & { readonly share: number };
}

export interface Health extends RunningHealth {
	readonly thinking: ReadableThinking;
}

/** Measures the next request of a session. Linear in its history. */
export function measureHealth(input: HealthInput, log: readonly Pass[]): Health {
	const { graph, view } = input;
	return {
		...measureRunningHealth(input, log),
		thinking: measureReadableThinking(graph, view, log),
	};
}

/** The figures that do not need the whole session. */
export function measureRunningHealth(input: HealthInput, log: readonly Pass[]): RunningHealth {
	const all = findRegrets(input.graph, input.view);
	const passes = sumRegretByPass(log, all);
	return { ...measureVitals(input), regret: { share: regretShare(passes), passes, all } };
}

/** The figures of the next request that need no look at what was read again. Linear in what it sends. */
export function measureVitals({ graph, view, fixed, budget }: HealthInput): Vitals {
	const used = totalTokens(graph, view, fixed);
	const bloat = measureToolBloat(graph, view);
	return {
		utilisation: measureUtilisation(used, budget),
		eviction: measureEvictionRate(graph, view),
		compressionRatio: measureCompressionRatio(graph, view),
		burn: measureBurnRate(graph),
		bloat: { ...bloat, share: used > 0 ? bloat.tokens / used : 0 },
	};
}
