/** A report as Markdown. */
import { markdownTable } from "#replay";
import type { ConditionReport, SingleSessionReport } from "./report.ts";

const columns: readonly (readonly [title: string, cell: (condition: ConditionReport) => string])[] = [
	["condition", ({ name }) => name],
	["seeds", ({ seeds }) => String(seeds.length)],
	["solved", ({ solved, tasks, spread }) => `${withSpread(solved, spread.solved)} of ${tasks}`],
	["requests", ({ requests, spread }) => withSpread(requests, spread.requests)],
	[
		"tokens",
		({ tokensProcessed, spread }) => `${withSpread(tokensProcessed / 1e6, spread.tokensProcessed / 1e6, 1)}M`,
	],
	["peak", ({ peakContext }) => String(peakContext)],
	["over", ({ overBudget }) => overBudget.toFixed(0)],
	["refused", ({ refused }) => refused.toFixed(0)],
	["re-explored", ({ reexplorations, spread }) => withSpread(reexplorations, spread.reexplorations)],
	["repair, calls (tokens)", ({ runs }) => repairText(runs)],
	["cached", ({ cachedShare }) => `${(100 * cachedShare).toFixed(1)} %`],
	["Anthropic", ({ cost }) => dollars(cost.anthropic)],
	["OpenAI", ({ cost }) => dollars(cost.openai)],
	["model min", ({ modeledSeconds }) => (modeledSeconds / 60).toFixed(0)],
	["minutes", ({ wallSeconds }) => (wallSeconds / 60).toFixed(1)],
];

function withSpread(
	mean: number,
	deviation: number,
	digits = Number.isInteger(mean) && deviation === 0 ? 0 : deviation < 10 ? 1 : 0,
): string {
	return deviation === 0 ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
}

const dollars = (cost: number) => `$${cost.toFixed(2)}`;

function repairText(runs: ConditionReport["runs"]): string {
	const mean = (of: (run: (typeof runs)[number]) => number) =>
		runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
	const tokens = mean(({ repair }) => repair.tokens) / 1_000;
	return `${mean(({ repair }) => repair.requests).toFixed(0)} (${tokens.toFixed(0)}k)`;
}

/** Ends with a newline. */
export function formatPage(report: SingleSessionReport): string {
	const { conditions } = report;
	const lines = [
		`# ${conditions[0] ? titleOf(conditions[0]) : "One session for all tasks"}`,
		"",
		"Made by `npm run bench -- single-session`; what it does, how to read it and what it does not show: bench/README.md.",
		"",
		...describeRuns(report),
		"",
		...markdownTable([
			columns.map(([title]) => title),
			...conditions.map((each) => columns.map(([, cell]) => cell(each))),
		]),
	];
	return `${lines.join("\n")}\n`;
}

function titleOf({ agent, tasks, difficulty }: ConditionReport): string {
	const known: Readonly<Record<string, string>> = {
		pi: "through the real pi over HTTP",
		"in-process": "in process",
	};
	return `${tasks} ${difficulty === "normal" ? "" : `${difficulty} `}tasks ${known[agent] ?? `with ${agent}`}`;
}

function describeRuns(report: SingleSessionReport): readonly string[] {
	const { dates, commits, machines, versions, conditions, interrupted } = report;
	const seeds = [...new Set(conditions.flatMap((condition) => condition.seeds))].toSorted((a, b) => a - b);
	return [
		`- ${dates.join(" to ")}, commit ${commits.join(", ")}, seeds ${seeds.join(", ")}`,
		...machines.map(
			({ cpu, cores, memory, system, node }) =>
				`- ${cpu}, ${cores} cores, ${memory} GiB, ${system}, Node ${node}`,
		),
		`- ${versions.join(", ")}`,
		...(interrupted ? ["- interrupted: only what was finished is here"] : []),
	];
}
