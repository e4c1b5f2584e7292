/** The health of a session's context in figures that need no model; fidelity needs the texts and is the host's. */
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import type { PlanInput } from "../planning/plan.ts";
import { type BurnRate, measureBurnRate } from "./burn-rate.ts";
import { measureCompressionRatio } from "./compression-ratio.ts";
import { type EvictionRate, measureEvictionRate } from "./eviction-rate.ts";
import { findRegrets, type Regret } from "./regret.ts";
import { type PassRegret, regretShare, sumRegretByPass } from "./regret-by-pass.ts";
import { measureToolBloat, type ToolBloat } from "./tool-bloat.ts";
import { measureUtilisation } from "./utilisation.ts";

/** Tokens are those that we count. */
export interface Health {
	/** Share of the budget. */
	readonly utilisation: number;
	readonly eviction: EvictionRate;
	readonly compressionRatio: number;
	readonly burn: BurnRate;
	readonly bloat: ToolBloat & { readonly share: number };
	readonly regret: {
		readonly share: number;
		readonly passes: readonly PassRegret[];
		readonly all: readonly Regret[];
	};
}

/** Measure the next request of a session. Linear in its history. */
export function measureHealth(
	{ graph, view, fixed, budget, tools }: Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "tools">,
	log: readonly Pass[],
): Health {
	const used = totalTokens(graph, view, fixed);
	const bloat = measureToolBloat(graph, view);
	const all = findRegrets(graph, view, tools);
	const passes = sumRegretByPass(log, all);
	return {
		utilisation: measureUtilisation(used, budget),
		eviction: measureEvictionRate(graph, view),
		compressionRatio: measureCompressionRatio(graph.episodes, view),
		burn: measureBurnRate(graph),
		bloat: { ...bloat, share: used > 0 ? bloat.tokens / used : 0 },
		regret: { share: regretShare(passes), passes, all },
	};
}
