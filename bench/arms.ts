/** Arms do the same tasks, each under one condition. Every bench with tasks gives these figures of them. */
import { sum } from "#basics";
import { markdownTable } from "#replay/report";
import { dollars, percent, thousands } from "./figures.ts";

/** The figures of one task; sizes in tokens. */
export interface TrialFigures extends ReturnType<typeof sumRequests> {
	readonly task: string;
	readonly solved: boolean;
	/** Requests that the provider refused. */
	readonly refused: number;
	/** Seconds of the clock, or of a model of the time where no provider is asked. */
	readonly seconds: number;
}

/** One request as it was sent, in tokens; `cached` were in the request before. */
export interface RequestFigure {
	readonly input: number;
	readonly cached: number;
	readonly output: number;
	/** True for a call that was made for a summary. */
	readonly isSummary: boolean;
}

export interface CallCounts {
	/** Calls that read a file. */
	readonly reads: number;
	/** Reads and searches of unchanged content that repeat an earlier one of the arm. */
	readonly rereads: number;
	readonly recalls: number;
}

export interface ArmFigures {
	/** The condition, such as `cwl-80k`. Arms of one name differ in their seed. */
	readonly name: string;
	readonly trials: readonly TrialFigures[];
}

/** The part of a task's figures that its requests give; `cost` in dollars. */
export function sumRequests(
	requests: readonly (RequestFigure & { readonly cost: number })[],
	calls: CallCounts,
) {
	const own = requests.filter(({ isSummary }) => !isSummary);
	return {
		/** Dollars. */
		cost: sum(requests, ({ cost }) => cost),
		/** The input of all requests, cached or not. */
		tokens: sum(requests, ({ input }) => input),
		cached: sum(requests, ({ cached }) => cached),
		/** The largest request; requests for summaries do not count. */
		largest: Math.max(0, ...own.map(({ input }) => input)),
		requests: requests.length,
		summaries: requests.length - own.length,
		calls,
	};
}

/** Figures by name: sizes in tokens, costs in dollars or as a share of no eviction. */
export type Row = Readonly<Record<string, number>>;
export type Rows = Readonly<Record<string, Row>>;

/** Adds up the trials of an arm. */
export function addTrials(trials: readonly TrialFigures[]): Row {
	const total = (of: (trial: TrialFigures) => number) => sum(trials, of);
	const tokens = total((trial) => trial.tokens);
	return {
		tasks: trials.length,
		solved: total(({ solved }) => Number(solved)),
		cost: total(({ cost }) => cost),
		calls: total(({ requests }) => requests),
		minutes: total(({ seconds }) => seconds) / 60,
		largest: Math.max(0, ...trials.map(({ largest }) => largest)),
		tokens,
		cached: total(({ cached }) => cached) / Math.max(1, tokens),
		summaries: total(({ summaries }) => summaries),
		refused: total(({ refused }) => refused),
		reads: total(({ calls }) => calls.reads),
		readAgain: total(({ calls }) => calls.rereads),
		recalls: total(({ calls }) => calls.recalls),
	};
}

/** A row for each name: means over its arms, the largest request of all of them, and how much they differ. */
export function averageArms(arms: readonly ArmFigures[]): Rows {
	const names = [...new Set(arms.map(({ name }) => name))];
	return Object.fromEntries(
		names.map((name) => {
			const rows = arms.filter((arm) => arm.name === name).map(({ trials }) => addTrials(trials));
			return [name, averageRows(rows)];
		}),
	);
}

function averageRows(rows: readonly Row[]): Row {
	const valuesOf = (key: string) => rows.map((row) => row[key] ?? 0);
	const meanOf = (key: string) => sum(valuesOf(key)) / rows.length;
	const solved = meanOf("solved");
	const variance =
		sum(valuesOf("solved").map((value) => (value - solved) ** 2)) / Math.max(1, rows.length - 1);
	return {
		...Object.fromEntries(Object.keys(rows[0] ?? {}).map((key) => [key, meanOf(key)])),
		seeds: rows.length,
		solvedSpread: Math.sqrt(variance),
		largest: Math.max(...valuesOf("largest")),
		costLow: Math.min(...valuesOf("cost")),
		costHigh: Math.max(...valuesOf("cost")),
	};
}

export type Columns = Readonly<Record<string, (row: Row) => string>>;

/** The columns that printed tables of tasks have; the usual number of tasks is not repeated. */
export const taskColumns = {
	solved({ solved = 0, solvedSpread = 0, tasks }) {
		const shown = solvedSpread > 0 ? `${solved.toFixed(1)} ± ${solvedSpread.toFixed(1)}` : solved.toFixed(0);
		return tasks === 89 ? shown : `${shown} of ${tasks}`;
	},
	cost: ({ cost = 0 }) => dollars(cost),
	calls: ({ calls = 0 }) => calls.toFixed(0),
	minutes: ({ minutes = 0 }) => minutes.toFixed(0),
	"largest request": ({ largest = 0 }) => thousands(largest),
} satisfies Columns;

const allColumns: Columns = {
	...taskColumns,
	tokens: ({ tokens = 0 }) => `${(tokens / 1e6).toFixed(2)}M`,
	cached: ({ cached = 0 }) => percent(cached),
	"files read": ({ reads = 0 }) => reads.toFixed(0),
	"read again": ({ readAgain = 0 }) => readAgain.toFixed(0),
	recalls: ({ recalls = 0 }) => recalls.toFixed(0),
	summaries: ({ summaries = 0 }) => summaries.toFixed(0),
	"failed requests": ({ refused = 0 }) => refused.toFixed(0),
};

export const cellsOf = (columns: Columns, row: Row): readonly string[] =>
	Object.values(columns).map((cell) => cell(row));

/** A Markdown table with a row for each name. */
export function formatArms(arms: readonly ArmFigures[]): readonly string[] {
	const rows = Object.entries(averageArms(arms)).map(([name, row]) => [name, ...cellsOf(allColumns, row)]);
	return markdownTable([["condition", ...Object.keys(allColumns)], ...rows]);
}
