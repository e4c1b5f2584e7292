/** Measures the part of a request that no pass may evict. */

import type { PlanInput } from "../planning/policy.ts";
import { keptTokens } from "./ledger.ts";

/** User messages above this share of the budget raise an alert. */
const WRITTEN_SHARE = 1 / 3;

/** In tokens. */
export interface Floor {
	/** System prompt, tools, prologue and user turns. */
	readonly tokens: number;
	/** Of that, what people wrote: nothing of it goes without their word. */
	readonly written: number;
	/** True if `written` alone exceeds a third of the budget. */
	readonly isHeavy: boolean;
}

/** The floor of the next request, without what was released. Linear in the number of messages of people. */
export function measureFloor({
	graph,
	view,
	fixed,
	budget,
}: Pick<PlanInput, "graph" | "view" | "fixed" | "budget">): Floor {
	const kept = keptTokens(graph, view);
	const notes = graph.prologue.reduce((sum, { type, tokens }) => sum + (type === "user" ? 0 : tokens), 0);
	const written = kept.prologue - notes + kept.user;
	const tokens = fixed.system + fixed.tools + kept.prologue + kept.user;
	return { tokens, written, isHeavy: written > WRITTEN_SHARE * budget };
}
