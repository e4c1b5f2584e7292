/** The figures that test the claims, kept in bench/results with the command, commit and machine of their run. */
import type { SearchReport } from "../search/command.ts";
import { type KeptFile, type ReplayFigures, readKept, type TaskFigures } from "../tables/kept.ts";

export type Verdict = "reproduced" | "contradicted" | "in part";
/** The finding in words, and the verdict on the claim. */
export type Outcome = readonly [figure: string, verdict: Verdict];

/** The figures of each run, by its name. */
export interface Figures extends Readonly<Record<FormerName, FormerFindings>> {
	readonly search: Pick<SearchReport, "bare" | "files">;
	readonly tasks: readonly TaskFigures[];
	readonly budgets: readonly TaskFigures[];
	readonly replay: ReplayFigures;
	readonly window: ReplayFigures;
	readonly fading: ReplayFigures;
}

/** Runs of programs that have left the tree. */
export type FormerName = "prompt" | "decisions" | "robustness";
type FormerFindings = Readonly<
	Record<string, { readonly figure: string; readonly verdict: Verdict } | undefined>
>;

export type Results = { readonly [Name in keyof Figures]: KeptFile<Figures[Name]> };

/** The runs in the order of the page. */
export const ALL_RUNS: readonly (keyof Figures)[] = [
	...(["prompt", "search", "tasks", "budgets", "replay", "window", "fading"] as const),
	...(["decisions", "robustness"] as const),
];

/** The kept figures of every run. */
export async function readResults(): Promise<Results> {
	const kept = await Promise.all(ALL_RUNS.map(async (name) => [name, await readKept(name)] as const));
	// Object.fromEntries knows no literal keys.
	return Object.fromEntries(kept) as Results;
}

/** The run of a condition. @throws Error if it is missing */
export function runOf(runs: readonly TaskFigures[], name: string): TaskFigures {
	const found = runs.find((run) => run.name === name);
	if (found) return found;
	throw new Error(`The kept figures have no run of ${name}.`);
}

/** A figure of a condition divided by that of another. */
export function ratioOf(
	runs: readonly TaskFigures[],
	name: string,
	base: string,
	figure: (run: TaskFigures) => number,
): number {
	return figure(runOf(runs, name)) / figure(runOf(runs, base));
}

/** The cost of a condition divided by that of another. */
export const ratio = (runs: readonly TaskFigures[], name: string, base: string): number =>
	ratioOf(runs, name, base, ({ cost }) => cost.anthropic);

export interface Kept {
	readonly policy: string;
	/** The share of the edits whose grounds the policy had to keep that it kept. */
	readonly kept: number;
	/** As a share of never evicting. */
	readonly cost: number;
	readonly breaks: number;
}

/** The share that a policy kept in a replay, and its cost. @throws Error if the replay lacks the policy */
export function keptBy({ policies }: ReplayFigures, name: string): Kept {
	const [own, none] = [name, "none"].map((wanted) => policies.find(({ policy }) => policy === wanted));
	if (!own || !none) throw new Error(`The kept replay has no policy ${name}.`);
	return {
		policy: name,
		kept: own.editsKept / own.editsNeeded,
		cost: own.cost.anthropic / none.cost.anthropic,
		breaks: own.prefixBreaks,
	};
}
