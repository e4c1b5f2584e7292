/** The runs whose figures test the claims: what each runs, and what of its report is kept. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CwlError } from "#pi";
import type { Report } from "#replay";
import type { SearchReport } from "../search/report.ts";
import type { SingleSessionReport } from "../single-session/report.ts";

/** The figures of each run, by its name. */
export interface Figures {
	readonly prompt: { readonly measured: readonly PromptTokens[] };
	readonly search: Pick<SearchReport, "bare" | "files">;
	readonly tasks: readonly TaskFigures[];
	readonly budgets: readonly TaskFigures[];
	readonly replay: ReplayFigures;
	readonly window: ReplayFigures;
	readonly fading: ReplayFigures;
	readonly decisions: readonly DecisionFigures[];
	readonly robustness: RobustnessFigures;
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

/** o200k tokens of the system prompt and the tool definitions of one agent over one API. */
interface PromptTokens {
	readonly agent: string;
	readonly tokens: { readonly system: number; readonly tools: number };
}

/** The share of an agent's recorded findings that the last request of a session still answers. */
export interface DecisionFigures {
	/** Tokens. */
	readonly budget: number;
	readonly answers: { readonly questions: number; readonly places: number };
}

/** Recorded sessions whose episodes are marked well and badly. */
interface RobustnessFigures {
	readonly rows: readonly {
		readonly policy: string;
		readonly marks: string;
		/** The share of the marks that are damaged. */
		readonly share: number;
		readonly editsKept: number;
		readonly editsNeeded: number;
	}[];
	/** Tokens of the marks and their results, and of the same sessions with them. */
	readonly markTokens: number;
	readonly tokens: number;
	readonly markedSessions: number;
}

interface Source {
	/** The last commit that holds its program; absent if it is in the tree. Its figures stay as they were measured. */
	readonly lastCommit?: string;
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

function formerRun(...argv: readonly string[]): Source {
	return { argv: [...bench, ...argv], isReplay: false, lastCommit: "9c19aa8", read: (printed) => printed };
}

const bench = ["npm", "run", "--silent", "bench", "--"];
const singleSession = ["single-session", "--in-process", "--json", "--conditions"];
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
	prompt: formerRun("prompt", "--json"),
	search: benchRun(["search", "--json"], ({ bare, files }: SearchReport) => ({ bare, files })),
	tasks: benchRun(
		[...singleSession, "isolated,none,compaction,paper,cwl,cwl-economy", "--budget", "80k"],
		pickTasks,
	),
	budgets: benchRun([...singleSession, "none,paper,cwl", "--budget", "50k,120k"], pickTasks),
	replay: replayRun([...replay, "--annotate", "runs", "--policy", policies.join(",")], pickReplay),
	window: replayRun([...replay, "--annotate", "runs", "--policy", windowPolicies], pickReplay),
	fading: replayRun([...replayAt("40k"), "--annotate", "runs", "--policy", fadingPolicies], pickReplay),
	decisions: formerRun("past-decisions", "--json", "--seeds", "3", "--budget", "16k,40k"),
	robustness: formerRun("robustness", "--json"),
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
	const { argv, isReplay, lastCommit, read } = sources[name];
	if (lastCommit !== undefined) {
		throw new CwlError("no-bench", `the program of ${name} is gone: its last commit is ${lastCommit}.`);
	}
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
