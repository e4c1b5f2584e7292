/** One claim of a source, and the words and figures that findings are made of. */
import type { Figures, SourceName, TaskFigures } from "./sources.ts";

export type Verdict = "reproduced" | "contradicted" | "in part" | "needs a model";

export interface Finding {
	readonly figure: string;
	readonly verdict: Verdict;
}

export interface Claim {
	/** Such as "paper 6.3". */
	readonly place: string;
	readonly claim: string;
	/** The run that tests it; undefined if no run here can. */
	readonly source: SourceName | undefined;
	readonly find: (figures: Partial<Figures>) => Finding | undefined;
}

/** A claim that one run tests; nothing is found before it was made. */
export function tested<Name extends SourceName>(
	place: string,
	claim: string,
	source: Name,
	find: (figures: Figures[Name]) => Finding | undefined,
): Claim {
	return { place, claim, source, find: ({ [source]: own }) => (own === undefined ? undefined : find(own)) };
}

export function needsModel(place: string, claim: string, figure: string): Claim {
	return { place, claim, source: undefined, find: () => ({ figure, verdict: "needs a model" }) };
}

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
export const change = (share: number) =>
	`${share < 1 ? "-" : "+"}${Math.abs(100 * (share - 1)).toFixed(0)} %`;
export const million = (tokens: number) => `${(tokens / 1e6).toFixed(1)}M`;

export function byName(runs: Figures["tasks"], name: string): TaskFigures | undefined {
	return runs.find((run) => run.name === name);
}

function costOf(run: TaskFigures | undefined): number | undefined {
	return run?.cost.anthropic ?? undefined;
}

/** Compares the costs of two conditions; undefined if one is missing. */
export function ratio(runs: Figures["tasks"], name: string, base: string): number | undefined {
	const [cost, other] = [costOf(byName(runs, name)), costOf(byName(runs, base))];
	return cost === undefined || other === undefined || other === 0 ? undefined : cost / other;
}
