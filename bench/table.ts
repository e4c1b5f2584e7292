/** A report as text for people. */
import type { Estimate } from "./metrics/comparison.ts";
import { type GroundingCount, totalGrounding } from "./metrics/grounding.ts";
import type { PolicyReport, Report } from "./report.ts";
import { formatTrouble } from "./trouble.ts";

interface Column {
	readonly title: string;
	readonly cell: (policy: PolicyReport) => string;
}

const name: Column = { title: "policy", cell: ({ policy }) => policy };

/** Two or three tables, each with what it cannot show, and what could not be replayed. Ends with a newline. */
export function formatReport(report: Report): string {
	const lines = report.sessions.replayed === 0 ? ["No session was replayed."] : formatFigures(report);
	return `${[...lines, ...formatTrouble(report)].join("\n")}\n`;
}

function formatFigures(report: Report): readonly string[] {
	const { policies, sessions, budget, advice } = report;
	const compared = policies.filter(({ policy, versusPaper }) => policy !== "paper" && versusPaper !== null);
	return [
		...formatHead(report),
		"",
		...formatTable(trafficColumns(report), policies),
		...trafficLimits(report),
		"",
		`Under pressure: from the first request whose whole history passes ${kilo(budget)} tokens (${sessions.pressed} sessions).`,
		...formatTable(groundingColumns(report), policies),
		...groundingLimits,
		...(compared.length > 0 && sessions.pressed > 1 ? ["", ...formatComparison(compared)] : []),
		...(advice ? ["", `Advice: ${advice.policy}, budget ${kilo(advice.budget)}: ${advice.reason}.`] : []),
	];
}

function formatHead({ sessions, budget, interrupted, annotate, annotationOnly, chain, policies }: Report) {
	const { replayed, annotated } = sessions;
	const budgets = new Set(policies.map((policy) => policy.budget));
	const under = budgets.size > 1 ? [...budgets].map(kilo).join(", ") : kilo(budget);
	const what = chain === null ? "session" : `session chained by ${chain}`;
	const head =
		`${replayed} ${what.replace("session", replayed === 1 ? "session" : "sessions")}, budget ${under} tokens` +
		`${interrupted ? " (interrupted)" : ""}; episodes (--annotate ${annotate}): ` +
		`${annotated} annotated, ${replayed - annotated} inferred`;
	if (!annotationOnly) return [head];
	const { only, requests, share } = annotationOnly;
	return [head, `Requests that only annotated, as recorded: ${only} of ${requests} (${percent(share)} %)`];
}

function trafficColumns({ policies }: Report): readonly Column[] {
	const models = Object.keys(policies[0]?.dollars ?? {});
	const hasExtra = policies.some(({ extraCalls }) => extraCalls.calls > 0);
	const extra: Column = { title: "own calls", cell: ({ extraCalls }) => String(extraCalls.calls) };
	return [
		name,
		{ title: "requests", cell: ({ requests }) => String(requests) },
		{ title: "tokens", cell: ({ tokensProcessed }) => `${(tokensProcessed / 1e6).toFixed(1)}M` },
		{ title: "mean ctx", cell: ({ meanContext }) => kilo(meanContext) },
		{ title: "max ctx", cell: ({ maxContext }) => kilo(maxContext) },
		{ title: "over", cell: ({ overBudget }) => String(overBudget) },
		{ title: "passes", cell: ({ passes }) => String(passes) },
		{ title: "breaks", cell: ({ prefixBreaks }) => String(prefixBreaks) },
		{ title: "extend", cell: ({ extendShare }) => percent(extendShare) },
		{ title: "cached", cell: ({ cachedShare }) => percent(cachedShare) },
		...(hasExtra ? [extra] : []),
		...models.map(
			(model): Column => ({ title: `$ ${model}`, cell: ({ dollars }) => fixed(dollars[model] ?? null, 2) }),
		),
		{ title: "pass ms p50/p99", cell: ({ passMs }) => `${fixed(passMs.p50, 1)}/${fixed(passMs.p99, 1)}` },
		{ title: "violations", cell: ({ violations }) => String(violations) },
	];
}

function trafficLimits({ policies }: Report): readonly string[] {
	const hasModels = Object.keys(policies[0]?.dollars ?? {}).length > 0;
	return [
		"Recorded steps never change: what an agent with less in sight would have read again is in no figure. Tokens are",
		"o200k of visible text; caches never expire.",
		...(hasModels
			? [
					"$: at the prices of pi's model table; Anthropic reads up to breakpoints, others in steps of 128 tokens.",
				]
			: []),
	];
}

function groundingColumns({ policies, advice }: Report): readonly Column[] {
	const kept = (kind: "edit" | "editCross" | "self" | "path" | "pathCross" | "ident", title: string) => ({
		title,
		cell: ({ grounding }: PolicyReport) => keptShare(grounding[kind]),
	});
	const [model] = Object.keys(policies[0]?.dollars ?? {});
	const dollars: Column = {
		title: `$ ${model}`,
		cell: ({ pressed }) => fixed(pressed?.dollars[model ?? ""] ?? null, 2),
	};
	const all: Column = { title: "all", cell: ({ grounding }) => keptShare(totalGrounding(grounding)) };
	const isCompared = policies.some(({ versusPaper }) => versusPaper !== null);
	return [
		name,
		{ title: "requests", cell: ({ pressed }) => String(pressed?.requests ?? 0) },
		{ title: "mean ctx", cell: ({ pressed }) => kilo(pressed?.meanContext ?? null) },
		{ title: "over", cell: ({ pressed }) => String(pressed?.overBudget ?? 0) },
		...(isCompared
			? [
					{ title: "cost A", cell: ({ ratioToPaper }: PolicyReport) => fixed(ratioToPaper.anthropic, 3) },
					{ title: "cost O", cell: ({ ratioToPaper }: PolicyReport) => fixed(ratioToPaper.openai, 3) },
				]
			: []),
		...(model !== undefined && !isCompared ? [dollars] : []),
		...(advice ? [all] : []),
		kept("edit", "edit"),
		kept("editCross", "edit X"),
		kept("self", "self"),
		kept("path", "path"),
		kept("pathCross", "path X"),
		kept("ident", "ident"),
		{ title: "recall", cell: ({ grounding }) => recallShare(totalGrounding(grounding)) },
	];
}

const groundingLimits = [
	"A, O: cost at Anthropic-like and OpenAI-like prices, as a share of what `paper` costs.",
	"edit to ident: of what later recorded steps needed (how many), the percentage still in the request; X: across",
	"tasks, last shown before the last user turn; recall: of what is gone, the percentage that recall reaches. Being",
	"there is not being used, and decisions and reasoning are not measured: bench/README.md says what else is not.",
];

function formatComparison(policies: readonly PolicyReport[]): readonly string[] {
	const cost = (provider: "anthropic" | "openai", title: string): Column => ({
		title,
		cell: ({ versusPaper }) => estimateText(versusPaper?.cost[provider] ?? null, 1, 2),
	});
	const kept = (
		kind: "edit" | "editCross" | "self" | "path" | "pathCross" | "ident",
		title: string,
	): Column => ({
		title,
		cell: ({ versusPaper }) => estimateText(versusPaper?.grounding[kind] ?? null, 100, 1),
	});
	const columns = [
		name,
		cost("anthropic", "cost A"),
		cost("openai", "cost O"),
		kept("edit", "edit"),
		kept("editCross", "edit X"),
		kept("self", "self"),
		kept("path", "path"),
		kept("pathCross", "path X"),
		kept("ident", "ident"),
	];
	return [
		"Beside `paper`: cost as a share, the rest as a difference in points, with 95 % intervals (whole sessions drawn",
		"again, the same for both sides). They tell what other sessions of this kind may show, not those of other people.",
		...formatTable(columns, policies),
	];
}

function formatTable(columns: readonly Column[], policies: readonly PolicyReport[]): readonly string[] {
	const rows = [
		columns.map(({ title }) => title),
		...policies.map((policy) => columns.map(({ cell }) => cell(policy))),
	];
	const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
	return rows.map((row) =>
		row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
	);
}

function keptShare({ kept, needed }: GroundingCount): string {
	return needed === 0 ? "-" : `${((100 * kept) / needed).toFixed(1)} (${needed})`;
}

function recallShare({ needed, kept, recallable }: GroundingCount): string {
	return needed === kept ? "-" : percent(recallable / (needed - kept));
}

function estimateText(estimate: Estimate | null, scale: number, digits: number): string {
	if (!estimate) return "-";
	const { value, low, high } = estimate;
	const text = (bound: number) => (scale * bound).toFixed(digits);
	return low === null || high === null ? text(value) : `${text(value)} [${text(low)}, ${text(high)}]`;
}

function kilo(tokens: number | null): string {
	return tokens === null ? "-" : `${(tokens / 1_000).toFixed(1)}k`;
}

function percent(share: number | null): string {
	return share === null ? "-" : (100 * share).toFixed(1);
}

function fixed(value: number | null, digits: number): string {
	return value === null ? "-" : value.toFixed(digits);
}
