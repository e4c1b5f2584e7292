/** The runs whose figures test the claims: what each runs, and what of its report is kept. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Report } from "#lab";
import { CwlError } from "#pi";
import type { FixedCost } from "../fixed-cost/command.ts";
import type { PastDecisions } from "../past-decisions/command.ts";
import type { Answers } from "../past-decisions/questions.ts";
import type { RobustnessFigures } from "../robustness/measure.ts";
import type { SearchReport } from "../search/report.ts";
import type { SingleSessionReport } from "../single-session/report.ts";

/** The figures of each run, by its name. */
export interface Figures {
	readonly prompt: { readonly measured: readonly FixedCost[] };
	readonly search: Pick<SearchReport, "bare" | "files">;
	readonly tasks: readonly TaskFigures[];
	readonly budgets: readonly TaskFigures[];
	readonly replay: ReplayFigures;
	readonly window: ReplayFigures;
	readonly fading: ReplayFigures;
	readonly decisions: readonly DecisionFigures[];
	readonly robustness: RobustnessFigures;
	readonly departures: RobustnessFigures;
}

export type SourceName = keyof Figures;

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

/** The share of an agent's recorded findings that the last request of a session still answers. */
export interface DecisionFigures {
	/** Tokens. */
	readonly budget: number;
	readonly answers: Answers;
	readonly cost: TaskFigures["cost"];
	readonly solved: number;
	readonly tasks: number;
}

interface Source {
	readonly argv: readonly string[];
	/** True if it replays the recorded sessions that `--sessions` names. */
	readonly isReplay: boolean;
	/** From the JSON that the run prints to the figures that are kept. */
	readonly read: (printed: string) => unknown;
}

function benchRun<Printed>(argv: readonly string[], pick: (report: Printed) => unknown): Source {
	return { argv: [...bench, ...argv], isReplay: false, read: (printed) => pick(JSON.parse(printed)) };
}

function replayRun<Printed>(argv: readonly string[], pick: (report: Printed) => unknown): Source {
	return { argv, isReplay: true, read: (printed) => pick(JSON.parse(printed)) };
}

const bench = ["npm", "run", "--silent", "bench", "--"];
const singleSession = ["single-session", "--in-process", "--json", "--conditions"];
const switches = ["early-work", "unmarked-last", "inferred-runs", "failed-calls"].map(
	(name) => `paper:departs=${name}`,
);
const policies = ["none", "compaction", "paper", "paper-adapted", "cwl", "cwl-economy"];
/** Those of the article on context windows, next to what they are compared with. */
const windowPolicies = "none,fifo,lru,priority,type,semantic-merge,hybrid,cwl";
/** Those of the page on faded memory. */
const fadingPolicies = "none,cwl,cwl:fading=on,cwl:fading=only,cwl:fading=placeholder";
const replayAt = (budget: string) => [
	"node",
	"packages/cli/bin.mjs",
	"replay",
	"--json",
	"--no-times",
	"--budget",
	budget,
];
const replay = replayAt("80k");

export const sources: Readonly<Record<SourceName, Source>> = {
	prompt: benchRun(["prompt", "--json"], ({ measured }: Figures["prompt"]) => ({ measured })),
	search: benchRun(["search", "--json"], ({ bare, files }: SearchReport) => ({ bare, files })),
	tasks: benchRun(
		[...singleSession, "isolated,none,compaction,paper,cwl,cwl-economy", "--budget", "80k"],
		pickTasks,
	),
	budgets: benchRun([...singleSession, "none,paper,cwl", "--budget", "50k,120k"], pickTasks),
	replay: replayRun([...replay, "--annotate", "runs", "--policy", policies.join(",")], pickReplay),
	window: replayRun([...replay, "--annotate", "runs", "--policy", windowPolicies], pickReplay),
	fading: replayRun([...replayAt("40k"), "--annotate", "runs", "--policy", fadingPolicies], pickReplay),
	decisions: benchRun(["past-decisions", "--json", "--seeds", "3", "--budget", "16k,40k"], pickDecisions),
	robustness: replayRun([...bench, "robustness", "--json"], (figures: RobustnessFigures) => figures),
	departures: replayRun(
		[
			...[...bench, "robustness", "--json", "--faults", "unmarked", "--shares", "20"],
			...["--policy", ["paper", ...switches, "paper-adapted"].join(",")],
		],
		(figures: RobustnessFigures) => figures,
	),
};

function pickTasks({ conditions }: SingleSessionReport): readonly TaskFigures[] {
	return conditions.map(({ name, tasks, solved, requests, tokensProcessed, peakContext, ...rest }) => {
		const { overBudget, reexplorations, cachedShare, cost, seeds } = rest;
		return {
			...{ name, tasks, solved, requests, tokensProcessed, peakContext },
			...{ overBudget, reexplorations, cachedShare, cost, seeds: seeds.length },
		};
	});
}

function pickDecisions(rows: readonly PastDecisions[]): readonly DecisionFigures[] {
	return rows.map(({ budget, answers, figures: { cost, solved, tasks } }) => ({
		...{ budget, answers, cost, solved, tasks },
	}));
}

function pickReplay({ sessions, policies }: Report): ReplayFigures {
	return {
		sessions,
		policies: policies.flatMap(({ policy, pressed, grounding, prefixBreaks }) =>
			pressed
				? [
						{
							...{ policy, cost: pressed.cost, prefixBreaks },
							...{ editsKept: grounding.edit.kept, editsNeeded: grounding.edit.needed },
							...{ overBudget: pressed.overBudget, requests: pressed.requests },
						},
					]
				: [],
		),
	};
}

/** The command of a source as a user would type it; `DIR` stands for recorded sessions. */
export function commandOf(name: SourceName): string {
	const { argv, isReplay } = sources[name];
	const words = argv[0] === "node" ? ["npx", "cwl", ...argv.slice(2)] : argv;
	return [...words, ...(isReplay ? ["DIR"] : [])].join(" ");
}

/** Runs a source and returns its figures. @throws CwlError `no-sessions`, or `failed-run` with what the run said */
export async function runSource(name: SourceName, sessions: readonly string[]): Promise<unknown> {
	const { argv, isReplay, read } = sources[name];
	if (isReplay && sessions.length === 0) {
		throw new CwlError("no-sessions", `${name} replays recorded sessions: name files or folders of them.`);
	}
	const [program = "", ...rest] = [...argv, ...(isReplay ? sessions : [])];
	const cwd = join(import.meta.dirname, "..", "..");
	try {
		const { stdout } = await promisify(execFile)(program, rest, { cwd, maxBuffer: 2 ** 30 });
		return read(stdout);
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		throw new CwlError("failed-run", `${commandOf(name)} failed: ${said.slice(0, 500)}`);
	}
}
