/** A report as Markdown, for a terminal or a file. */

import { markdownTable } from "#replay";
import { DIFFICULTIES } from "./difficulty.ts";
import { marksTable } from "./marks-table.ts";
import type { ConditionReport, SingleSessionReport } from "./report.ts";

interface Column {
	readonly title: string;
	readonly cell: (condition: ConditionReport) => string;
}

const columns: readonly Column[] = [
	{ title: "condition", cell: ({ name }) => name },
	{ title: "seeds", cell: ({ seeds }) => String(seeds.length) },
	{ title: "solved", cell: ({ solved, tasks, spread }) => `${spread0(solved, spread.solved)} of ${tasks}` },
	{ title: "requests", cell: ({ requests, spread }) => spread0(requests, spread.requests) },
	{
		title: "tokens",
		cell: ({ tokensProcessed, spread }) => millions(tokensProcessed, spread.tokensProcessed),
	},
	{ title: "peak", cell: ({ peakContext }) => String(peakContext) },
	{ title: "over", cell: ({ overBudget }) => overBudget.toFixed(0) },
	{ title: "refused", cell: ({ refused }) => refused.toFixed(0) },
	{
		title: "re-explored",
		cell: ({ reexplorations, spread }) => spread0(reexplorations, spread.reexplorations),
	},
	{ title: "repair, calls (tokens)", cell: ({ runs }) => repairText(runs) },
	{ title: "cached", cell: ({ cachedShare }) => `${(100 * cachedShare).toFixed(1)} %` },
	{ title: "Anthropic", cell: ({ cost, paid }) => dollars(cost.anthropic ?? paid) },
	{ title: "OpenAI", cell: ({ cost }) => dollars(cost.openai) },
	{
		title: "model min",
		cell: ({ modeledSeconds }) => (modeledSeconds === null ? "-" : (modeledSeconds / 60).toFixed(0)),
	},
	{ title: "minutes", cell: ({ wallSeconds }) => (wallSeconds / 60).toFixed(1) },
];

const withSpread = (mean: number, deviation: number, digits: number) =>
	deviation === 0 ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
const spread0 = (mean: number, deviation: number) =>
	withSpread(mean, deviation, Number.isInteger(mean) && deviation === 0 ? 0 : deviation < 10 ? 1 : 0);
const millions = (mean: number, deviation: number) => `${withSpread(mean / 1e6, deviation / 1e6, 1)}M`;
const dollars = (cost: number | null) => (cost === null ? "-" : `$${cost.toFixed(2)}`);

/** Means over the runs that have them. */
function repairText(runs: ConditionReport["runs"]): string {
	const repairs = runs.flatMap(({ repair }) => repair ?? []);
	if (repairs.length === 0) return "-";
	const mean = (of: (repair: (typeof repairs)[number]) => number) =>
		repairs.reduce((sum, repair) => sum + of(repair), 0) / repairs.length;
	return `${mean(({ requests }) => requests).toFixed(0)} (${(mean(({ tokens }) => tokens) / 1_000).toFixed(0)}k)`;
}

/** Ends with a newline. */
export function formatPage(report: SingleSessionReport): string {
	const groups = groupConditions(report.conditions);
	const lines = [
		"# One session for all tasks",
		"",
		"Made by `npm run bench -- single-session`; what it does and how to read it: bench/README.md.",
		"",
		...describeRuns(report),
		...groups.flatMap(({ title, conditions }) => ["", `## ${title}`, "", ...table(columns, conditions)]),
		...groups.flatMap(({ title, conditions }) => describeMarks(title, conditions)),
		"",
		"## Tasks that were not solved",
		"",
		...describeFailures(report.conditions),
		"",
		"## What the figures do not show",
		"",
		...LIMITS.map((limit) => `- ${limit}`),
	];
	return `${lines.join("\n")}\n`;
}

const LIMITS = [
	"The worker is a script. It knows only what each request holds, so that requests, tokens, re-exploration and lost tasks follow from what a policy leaves in sight; that a model would understand more, or less, of the same context is in no figure.",
	"It reads carefully and checks its work, always. A model that trusts what it remembers loses tasks where the worker only spends requests.",
	"Instructions have 30 to 340 tokens, 87 in the median; those of Terminal-Bench 2 have 33 to 1,153, 165 in the median. The tasks are small changes in a generated repository of 40 files. A share of solved tasks here says nothing of a share there.",
	"Everything that earlier normal tasks decided can be found in the repository, so that isolated sessions can do every one. A quarter of the hard tasks need what only a person said or a log showed.",
	"The worker takes a sum over many logs from all of them at once: a model could keep notes on the way.",
	"Summaries are those of a stand-in that forgets nothing it has room for and makes nothing up; a model's summaries do both. `compaction-lossy` and `compaction-inventing` show what that costs, at a rate of one fact in five.",
	"Dollars are list prices on the caches of the server in packages/loopback: no long-context surcharge, no other user's traffic, no cache that went cold over lunch.",
	"Modeled minutes (`model min`) are those of a provider with published times to the first token, 60 output tokens a second and no tools: packages/replay/metrics/latency.ts.",
	"Minutes are those of a script that answers at once: they are what everything but the model takes.",
] as const;

function describeRuns({
	dates,
	commits,
	machines,
	versions,
	conditions,
	interrupted,
}: SingleSessionReport): readonly string[] {
	const seeds = [...new Set(conditions.flatMap((condition) => condition.seeds))].sort((a, b) => a - b);
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

interface Group {
	readonly title: string;
	readonly conditions: readonly ConditionReport[];
}

/** The easier tasks first, otherwise in the order of the conditions. */
function groupConditions(conditions: readonly ConditionReport[]): readonly Group[] {
	const groups = new Map<string, ConditionReport[]>();
	for (const condition of conditions) {
		const title = titleOf(condition);
		groups.set(title, [...(groups.get(title) ?? []), condition]);
	}
	const rank = ([, [first]]: readonly [string, readonly ConditionReport[]]) =>
		DIFFICULTIES.indexOf(first?.difficulty ?? "normal");
	return [...groups]
		.toSorted((a, b) => rank(a) - rank(b))
		.map(([title, members]) => ({ title, conditions: members }));
}

function titleOf({ agent, tasks, isTerse, difficulty }: ConditionReport): string {
	const through =
		agent === "pi"
			? "through the real pi over HTTP"
			: agent === "in-process"
				? "in process"
				: `with ${agent}`;
	return `${tasks} ${difficulty === "normal" ? "" : `${difficulty} `}tasks ${through}${isTerse ? ", the requests alone" : ""}`;
}

/** Leaves out the columns that are empty in every row, such as figures that older runs lack. */
function table(all: readonly Column[], conditions: readonly ConditionReport[]): readonly string[] {
	const shown = all.filter(({ cell }) => conditions.some((each) => cell(each) !== "-"));
	return markdownTable([
		shown.map(({ title }) => title),
		...conditions.map((each) => shown.map(({ cell }) => cell(each))),
	]);
}

function describeMarks(title: string, conditions: readonly ConditionReport[]): readonly string[] {
	const lines = marksTable(conditions);
	return lines.length > 0 ? ["", `## ${title}, marks damaged`, "", ...lines] : [];
}

function describeFailures(conditions: readonly ConditionReport[]): readonly string[] {
	const isMixed = new Set(conditions.map(({ difficulty }) => difficulty)).size > 1;
	const lines = conditions.flatMap(({ name: condition, difficulty, runs }) => {
		const name = isMixed ? `${condition} (${difficulty})` : condition;
		if (runs.some(({ failed }) => failed.length > MAX_NAMED))
			return [
				`- ${name}, over ${runs.length} ${runs.length === 1 ? "seed" : "seeds"}: ${countKinds(runs.flatMap(({ failed }) => failed))}`,
			];
		return runs.flatMap(({ seed, failed }) =>
			failed.length > 0 ? [`- ${name}, seed ${seed}: ${failed.join(", ")}`] : [],
		);
	});
	return lines.length > 0 ? lines : ["None."];
}

/** Of more unsolved tasks in a run than these, the page tells their kinds; `--json` has the ids. */
const MAX_NAMED = 5;

function countKinds(ids: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const id of ids) {
		const kind = id.replace(/^task-\d+-/, "");
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
	return sorted.map(([kind, count]) => `${count} ${kind}`).join(", ");
}
