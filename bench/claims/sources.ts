/** The figures that test the claims, kept in bench/results with the command, commit and machine of their run. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "#replay";
import type { SearchReport } from "../search/command.ts";
import type { SingleSessionReport } from "../single-session/report.ts";
import type { Surroundings } from "../surroundings.ts";
import type { Finding } from "./claim.ts";

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
type FormerFindings = Readonly<Record<string, Finding>>;

export type TaskFigures = Pick<
	SingleSessionReport["conditions"][number],
	| "name"
	| "tasks"
	| "solved"
	| "requests"
	| "tokensProcessed"
	| "peakContext"
	| "overBudget"
	| "reexplorations"
	| "cachedShare"
	| "cost"
> & { readonly seeds: number };

export interface ReplayFigures {
	readonly sessions: Report["sessions"];
	/** Over requests under pressure. */
	readonly policies: readonly {
		readonly policy: string;
		/** In uncached input tokens. */
		readonly cost: { readonly anthropic: number; readonly openai: number };
		readonly editsKept: number;
		readonly editsNeeded: number;
		readonly overBudget: number;
		readonly requests: number;
		readonly prefixBreaks: number;
	}[];
}

/** Figures of a run that are kept in the repository, with what is needed to make them again. */
interface ResultsFile<F> extends Surroundings {
	readonly version: 1;
	readonly command: string;
	readonly figures: F;
}

export type Results = { readonly [Name in keyof Figures]?: ResultsFile<Figures[Name]> };

/** The runs in the order of the page. */
export const ALL_RUNS: readonly (keyof Figures)[] = [
	...(["prompt", "search", "tasks", "budgets", "replay", "window", "fading"] as const),
	...(["decisions", "robustness"] as const),
];

/** The kept figures of every run. */
export async function readKept(): Promise<Results> {
	const folder = join(import.meta.dirname, "..", "results");
	const kept = await Promise.all(
		ALL_RUNS.map(async (name) => {
			const text = await readFile(join(folder, `claims-${name}.json`), "utf8");
			return [name, JSON.parse(text)] as const;
		}),
	);
	return Object.fromEntries(kept);
}
