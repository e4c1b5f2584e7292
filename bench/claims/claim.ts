/** One claim of a source, and the words and figures that findings are made of. */
import type { Figures, FormerName, ReplayFigures, TaskFigures } from "./sources.ts";

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
	readonly source: keyof Figures | undefined;
	readonly find: (figures: Partial<Figures>) => Finding | undefined;
}

/** A claim that one run tests; nothing is found before it was made. */
export function tested<Name extends keyof Figures>(
	place: string,
	claim: string,
	source: Name,
	find: (figures: Figures[Name]) => Finding | undefined,
): Claim {
	return { place, claim, source, find: ({ [source]: own }) => (own === undefined ? undefined : find(own)) };
}

/** A claim that a program tested which has left the tree; its finding is kept. */
export function testedOnce(place: string, claim: string, source: FormerName): Claim {
	return { place, claim, source, find: ({ [source]: own }) => own?.[claim] };
}

export function needsModel(place: string, claim: string, figure: string): Claim {
	return { place, claim, source: undefined, find: () => ({ figure, verdict: "needs a model" }) };
}

/** The verdict for what holds wholly, in part, or not at all. */
export const graded = (isWhole: boolean, isPart: boolean): Verdict =>
	isWhole ? "reproduced" : isPart ? "in part" : "contradicted";

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
export const change = (share: number) =>
	`${share < 1 ? "-" : "+"}${Math.abs(100 * (share - 1)).toFixed(0)} %`;
export const million = (tokens: number) => `${(tokens / 1e6).toFixed(1)}M`;

/** The runs of these conditions; undefined if one is missing. */
export function runsOf(
	runs: Figures["tasks"],
	...names: readonly string[]
): readonly TaskFigures[] | undefined {
	const found = names.flatMap((name) => runs.find((run) => run.name === name) ?? []);
	return found.length === names.length ? found : undefined;
}

/** The cost of a condition divided by that of another; undefined if one is missing. */
export function ratio(runs: Figures["tasks"], name: string, base: string): number | undefined {
	const [own, other] = runsOf(runs, name, base) ?? [];
	const [cost, whole] = [own?.cost.anthropic, other?.cost.anthropic];
	return typeof cost === "number" && whole ? cost / whole : undefined;
}

export interface Kept {
	readonly policy: string;
	/** The share of the edits whose grounds the policy had to keep that it kept. */
	readonly kept: number;
	/** As a share of never evicting. */
	readonly cost: number;
	readonly breaks: number;
}

/** What policies kept in a replay, and their costs; undefined if the replay lacks one of them. */
export function keptBy(
	{ policies }: ReplayFigures,
	...names: readonly string[]
): readonly Kept[] | undefined {
	const none = policies.find(({ policy }) => policy === "none");
	const found = names.flatMap((name) => policies.find(({ policy }) => policy === name) ?? []);
	if (!none || found.length < names.length) return undefined;
	return found.map(({ policy, editsKept, editsNeeded, cost, prefixBreaks }) => ({
		policy,
		kept: editsKept / editsNeeded,
		cost: cost.anthropic / none.cost.anthropic,
		breaks: prefixBreaks,
	}));
}

export const show = ({ policy, kept, cost }: Kept) =>
	`\`${policy}\` keeps ${percent(kept)} of edits at ${percent(cost)} of the cost`;
