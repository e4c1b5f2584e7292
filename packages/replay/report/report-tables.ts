/** A report as tables of text, each with what it cannot show; printed by table.ts and shown by html/. */
import { countOf } from "#pi";
import type { Estimate } from "../metrics/comparison.ts";
import type { Faults } from "../metrics/faults.ts";
import { type GroundingCount, type GroundingKind, totalGrounding } from "../metrics/grounding.ts";
import type { PolicyReport, Pressed, Report } from "./report.ts";

export interface TableText {
	/** The lines above the table. */
	readonly title: readonly string[];
	readonly head: readonly string[];
	/** One a policy, its name first. */
	readonly rows: readonly (readonly string[])[];
	/** Sentences on the meaning of the figures and on their limits. */
	readonly limits: readonly string[];
}

interface Column {
	readonly title: string;
	readonly cell: (policy: PolicyReport) => string;
}

/** Describes in a line or two which sessions were replayed and how. */
export function describeRun(report: Report): readonly string[] {
	const { sessions, interrupted, annotate, annotationOnly, chain } = report;
	const { replayed, annotated, planned } = sessions;
	const chained = chain === null ? "" : ` chained by ${chain}`;
	const what = `${countOf(replayed, "session")}${chained} (${describeFormats(report)})`;
	const head =
		`${what}, budget ${describeBudgets(report)}${interrupted ? `; INTERRUPTED, ${planned} were to be replayed` : ""}; ` +
		`episodes (--annotate ${annotate}): ${annotated} annotated, ${replayed - annotated} inferred`;
	if (!annotationOnly) return [head];
	const { only, requests, share } = annotationOnly;
	return [head, `Requests that only annotated, as recorded: ${only} of ${requests} (${percent(share)} %)`];
}

/** `auto (at most 160.0k tokens), 50.0k, 80.0k tokens`; without eviction a budget means nothing. */
function describeBudgets({ policies }: Report): string {
	const auto = policies.find(({ isAuto }) => isAuto);
	const fixed = new Set(
		policies.flatMap(({ budget, isAuto, policy }) =>
			isAuto || (auto && policy === "none") ? [] : [kilo(budget)],
		),
	);
	return [
		...(auto ? [`auto (at most ${kilo(auto.budget)} tokens)`] : []),
		...(fixed.size > 0 ? [`${[...fixed].join(", ")} tokens`] : []),
	].join(", ");
}

/** Formats, each with its number where there are several. */
function describeFormats({ sessions }: Report): string {
	const counted = Object.entries(sessions.formats);
	return counted.map(([format, count]) => (counted.length === 1 ? format : `${count} ${format}`)).join(", ");
}

/** Traffic; what was kept under pressure, where there was any; and, where two can be compared, the figures compared with `paper`. */
export function tabulateReport(report: Report): readonly TableText[] {
	const { policies, sessions } = report;
	const compared = policies.filter(({ policy, versusPaper }) => policy !== "paper" && versusPaper !== null);
	return [
		tabulateTraffic(report),
		...(sessions.pressed > 0 ? [tabulateGrounding(report)] : []),
		...(compared.length > 0 && sessions.pressed > 1 ? [tabulateComparison(compared)] : []),
	];
}

const nameColumn: Column = { title: "policy", cell: ({ policy }) => policy };

function tabulate(
	columns: readonly Column[],
	policies: readonly PolicyReport[],
): Pick<TableText, "head" | "rows"> {
	return {
		head: columns.map(({ title }) => title),
		rows: policies.map((policy) => columns.map(({ cell }) => cell(policy))),
	};
}

/** Why there is nothing to compare. */
function describeRest({ budget, policies }: Report): string {
	const isSweep = new Set(policies.map((policy) => policy.budget)).size > 1;
	const remedy = isSweep ? "--what-if with smaller budgets" : "a smaller --budget";
	return `No session outgrows ${kilo(budget)} tokens: nothing has to leave, under any policy; ${remedy} shows what would.`;
}

function tabulateTraffic(report: Report): TableText {
	const { policies, sessions } = report;
	const models = Object.keys(policies[0]?.dollars ?? {});
	const hasExtra = policies.some(({ extraCalls }) => extraCalls.calls > 0);
	const extra: Column = { title: "summary calls", cell: ({ extraCalls }) => String(extraCalls.calls) };
	const columns: readonly Column[] = [
		nameColumn,
		{ title: "requests", cell: ({ requests }) => String(requests) },
		{ title: "tokens sent", cell: ({ tokensProcessed }) => `${(tokensProcessed / 1e6).toFixed(1)}M` },
		{ title: "mean context", cell: ({ meanContext }) => kilo(meanContext) },
		{ title: "largest context", cell: ({ maxContext }) => kilo(maxContext) },
		{ title: "over budget", cell: ({ overBudget }) => String(overBudget) },
		{ title: "passes", cell: ({ passes }) => String(passes) },
		{ title: "cache breaks", cell: ({ prefixBreaks }) => String(prefixBreaks) },
		{ title: "requests extended %", cell: ({ extendShare }) => percent(extendShare) },
		{ title: "faults %", cell: ({ faults }) => faultShare(faults) },
		{ title: "cached %", cell: ({ cachedShare }) => percent(cachedShare) },
		...(hasExtra ? [extra] : []),
		...models.map(dollarColumn),
		{ title: "pass ms, p50/p99", cell: ({ passMs }) => `${fixed(passMs.p50, 1)}/${fixed(passMs.p99, 1)}` },
		{ title: "broken rules", cell: ({ violations }) => String(violations) },
	];
	const dollars =
		"$: at the prices of pi's model table; Anthropic reads up to breakpoints, others in steps of 128 tokens.";
	const limits = [
		"Faults: recorded calls that repeat one whose output was gone, as a share of the outputs that left. " +
			"Recorded steps never change: what an agent with less in sight would have read again is in no figure. " +
			"Tokens are o200k of visible text; caches never expire.",
		...(models.length > 0 ? [dollars] : []),
		...(sessions.pressed === 0 ? [describeRest(report)] : []),
	];
	return { title: [], ...tabulate(columns, policies), limits };
}

function dollarColumn(model: string): Column {
	return { title: `$ ${model}`, cell: ({ dollars }) => fixed(dollars[model] ?? null, 2) };
}

const kinds: readonly (readonly [GroundingKind, string])[] = [
	["edit", "edits"],
	["editCross", "edits across tasks"],
	["self", "own text"],
	["path", "files"],
	["pathCross", "files across tasks"],
	["ident", "names"],
];

function tabulateGrounding(report: Report): TableText {
	const { policies, advice, budget, sessions } = report;
	const [model] = Object.keys(policies[0]?.dollars ?? {});
	const isCompared = policies.some(({ versusPaper }) => versusPaper !== null);
	const paper = policies.find(({ policy }) => policy === "paper");
	const costs: readonly Column[] = [
		{ title: "cost, Anthropic", cell: ({ ratioToPaper }) => fixed(ratioToPaper.anthropic, 3) },
		{ title: "cost, OpenAI", cell: ({ ratioToPaper }) => fixed(ratioToPaper.openai, 3) },
		{ title: "cost with repair", cell: ({ pressed }) => fixed(repairShare(pressed, paper?.pressed), 3) },
	];
	const all: Column = { title: "kept, all", cell: ({ grounding }) => keptShare(totalGrounding(grounding)) };
	const columns: readonly Column[] = [
		nameColumn,
		{ title: "requests", cell: ({ pressed }) => String(pressed?.requests ?? 0) },
		{ title: "mean context", cell: ({ pressed }) => kilo(pressed?.meanContext ?? null) },
		{ title: "over budget", cell: ({ pressed }) => String(pressed?.overBudget ?? 0) },
		...(isCompared ? costs : []),
		...(isCompared || model === undefined ? [] : [pressedDollars(model)]),
		...(advice ? [all] : []),
		...kinds.map(([kind, title]): Column => ({ title, cell: ({ grounding }) => keptShare(grounding[kind]) })),
		{ title: "recallable %", cell: ({ grounding }) => recallShare(totalGrounding(grounding)) },
	];
	const title = [
		`Under pressure: from the first request whose whole history passes ${kilo(budget)} tokens (${countOf(sessions.pressed, "session")}).`,
	];
	const ratio =
		"cost: at Anthropic-like and OpenAI-like prices, as a share of what `paper` costs; with repair: at Anthropic-like prices " +
		"with one more request for each output that was needed and gone.";
	const limits = [
		...(isCompared ? [ratio] : []),
		"edits to names: of what later recorded steps needed (how many), the percentage still in the request. Own text: what " +
			"the agent itself wrote before. Across tasks: last shown before the last user turn. Recallable: of what is gone, " +
			"the percentage that recall reaches. Text in the request is not always used; decisions and reasoning are not " +
			"measured (docs/replay.md).",
	];
	return { title, ...tabulate(columns, policies), limits };
}

function pressedDollars(model: string): Column {
	return { title: `$ ${model}`, cell: ({ pressed }) => fixed(pressed?.dollars[model] ?? null, 2) };
}

function tabulateComparison(policies: readonly PolicyReport[]): TableText {
	const columns: readonly Column[] = [
		nameColumn,
		{ title: "cost, Anthropic", cell: ({ versusPaper }) => estimateText(versusPaper?.cost.anthropic, 1, 2) },
		{ title: "cost, OpenAI", cell: ({ versusPaper }) => estimateText(versusPaper?.cost.openai, 1, 2) },
		...kinds.map(
			([kind, title]): Column => ({
				title,
				cell: ({ versusPaper }) => estimateText(versusPaper?.grounding[kind], 100, 1),
			}),
		),
	];
	const title = [
		"Compared with `paper`: cost as a share, the rest as a difference in points, with 95 % intervals.",
	];
	const limits = [
		"Intervals: whole sessions are drawn again, the same for both sides. They say what other sessions of this kind may " +
			"show, not sessions of other people, and nothing about what a replay cannot show.",
	];
	return { title, ...tabulate(columns, policies), limits };
}

function repairShare(own: Pressed | null, paper: Pressed | null | undefined): number | null {
	return own && paper ? own.costWithRepair.anthropic / paper.costWithRepair.anthropic : null;
}

function faultShare({ evicted, faults }: Faults): string {
	return evicted === 0 ? "-" : ((100 * faults) / evicted).toFixed(1);
}

function keptShare({ kept, needed }: GroundingCount): string {
	return needed === 0 ? "-" : `${((100 * kept) / needed).toFixed(1)} (${needed})`;
}

function recallShare({ needed, kept, recallable }: GroundingCount): string {
	return needed === kept ? "-" : percent(recallable / (needed - kept));
}

function estimateText(estimate: Estimate | null | undefined, scale: number, digits: number): string {
	if (!estimate) return "-";
	const { value, low, high } = estimate;
	const text = (bound: number) => (scale * bound).toFixed(digits);
	return low === null || high === null ? text(value) : `${text(value)} [${text(low)}, ${text(high)}]`;
}

export function kilo(tokens: number | null): string {
	return tokens === null ? "-" : `${(tokens / 1_000).toFixed(1)}k`;
}

function percent(share: number | null): string {
	return share === null ? "-" : (100 * share).toFixed(1);
}

function fixed(value: number | null, digits: number): string {
	return value === null ? "-" : value.toFixed(digits);
}
