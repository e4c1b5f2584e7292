/** A report as text for people. */
import type { GroundingCount } from "./metrics/grounding.ts";
import type { PolicyReport, Report } from "./report.ts";

interface Column {
	readonly title: string;
	readonly cell: (policy: PolicyReport) => string;
}

const costColumns: readonly Column[] = [
	{ title: "policy", cell: ({ policy }) => policy },
	{ title: "requests", cell: ({ requests }) => String(requests) },
	{ title: "tokens", cell: ({ tokensProcessed }) => `${(tokensProcessed / 1e6).toFixed(1)}M` },
	{ title: "mean ctx", cell: ({ meanContext }) => kilo(meanContext) },
	{ title: "max ctx", cell: ({ maxContext }) => kilo(maxContext) },
	{ title: "over", cell: ({ overBudget }) => String(overBudget) },
	{ title: "passes", cell: ({ passes }) => String(passes) },
	{ title: "breaks", cell: ({ prefixBreaks }) => String(prefixBreaks) },
	{ title: "extend", cell: ({ extendShare }) => percent(extendShare) },
	{ title: "cached", cell: ({ cachedShare }) => percent(cachedShare) },
	{ title: "pass ms p50/p99", cell: ({ passMs }) => `${fixed(passMs.p50, 1)}/${fixed(passMs.p99, 1)}` },
	{ title: "violations", cell: ({ violations }) => String(violations) },
];

const pressedColumns: readonly Column[] = [
	{ title: "policy", cell: ({ policy }) => policy },
	{ title: "requests", cell: ({ pressed }) => String(pressed?.requests ?? 0) },
	{ title: "mean ctx", cell: ({ pressed }) => kilo(pressed?.meanContext ?? null) },
	{ title: "over", cell: ({ pressed }) => String(pressed?.overBudget ?? 0) },
	{ title: "cost A", cell: ({ ratioToPaper }) => fixed(ratioToPaper.anthropic, 3) },
	{ title: "cost O", cell: ({ ratioToPaper }) => fixed(ratioToPaper.openai, 3) },
	{ title: "edit", cell: ({ grounding }) => keptShare(grounding.edit) },
	{ title: "X", cell: ({ grounding }) => keptShare(grounding.editCross) },
	{ title: "self", cell: ({ grounding }) => keptShare(grounding.self) },
	{ title: "path", cell: ({ grounding }) => keptShare(grounding.path) },
	{ title: "ident", cell: ({ grounding }) => keptShare(grounding.ident) },
];

/** Two tables, what they mean, and what could not be replayed. Ends with a newline. */
export function formatReport(report: Report): string {
	const { sessions, budget, interrupted, policies } = report;
	const lines = [
		`${sessions.replayed} ${sessions.replayed === 1 ? "session" : "sessions"}, budget ${kilo(budget)} tokens${interrupted ? " (interrupted)" : ""}; ` +
			`episodes: ${sessions.annotated} annotated, ${sessions.replayed - sessions.annotated} inferred`,
		"",
		...formatTable(costColumns, policies),
		"",
		`Under pressure: from the first request whose whole history passes the budget (${sessions.pressed} sessions).`,
		...formatTable(pressedColumns, policies),
		"A, O: cost at Anthropic-like and OpenAI-like prices, as a share of what `paper` costs.",
		"edit to ident: of what later recorded steps needed (how many), the percentage still in the request. X: edits whose",
		"text was last shown before the last user turn. Recorded steps never change, and being there is not being used:",
		"bench/README.md says what these figures cannot show.",
		...formatTrouble(report),
	];
	return `${lines.join("\n")}\n`;
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

const SHOWN = 10;

function formatTrouble({ policies, damage, problems }: Report): readonly string[] {
	const violations = policies.flatMap(({ policy, violationExamples }) =>
		violationExamples.map(
			({ session, request, rule, detail }) => `${policy}: ${session} request ${request}: ${rule}: ${detail}`,
		),
	);
	return [
		...list(
			"Violations",
			violations,
			policies.reduce((sum, policy) => sum + policy.violations, 0),
		),
		...list(
			"Damaged lines",
			damage.map(({ place, reason }) => `${place}: ${reason}`),
			damage.length,
		),
		...list(
			"Not replayed",
			problems.map(({ message }) => message),
			problems.length,
		),
	];
}

function list(title: string, lines: readonly string[], total: number): readonly string[] {
	if (total === 0) return [];
	const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
	const rest = total - shown.length;
	return [
		"",
		`${title}: ${total}`,
		...shown,
		...(rest > 0 ? [`  and ${rest} more (--json lists them)`] : []),
	];
}

function keptShare({ kept, needed }: GroundingCount): string {
	return needed === 0 ? "-" : `${((100 * kept) / needed).toFixed(1)} (${needed})`;
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
