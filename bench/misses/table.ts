/** The figures of misses as Markdown. */
import { markdownTable } from "#lab";
import { formatTokens } from "#pi";
import { type Figures, type PolicyFigures, REFERENCES, type Share } from "./figures.ts";

const head = [
	"policy",
	...REFERENCES.map((name) => `cost vs ${name}`),
	"with repair",
	"repairs",
	"edits kept, %",
	"across tasks, %",
	"files, %",
	"names, %",
	"edits missed",
	"over budget",
	"fault rate, %",
];

/** One section a budget: all sessions, then without the worst one. Ends with a newline. */
export function formatMisses(reports: readonly Figures[]): string {
	return reports.map(formatReport).join("\n");
}

const causeHead = ["text last shown by", "edits missed", "output of 3k tokens or more", "across tasks"];

function formatReport({ budget, sessions, worst, causes, all, withoutWorst }: Figures): string {
	const title = `## Budget ${formatTokens(budget)}: ${sessions} sessions under pressure`;
	const rest =
		worst === undefined
			? ["`cwl` misses no edit here."]
			: [
					`Without \`${worst}\`, the session in which \`cwl\` misses most edits:`,
					"",
					...markdownTable([head, ...withoutWorst.map(cellsOf)]),
					"",
					"The edits that `cwl` misses:",
					"",
					...markdownTable([causeHead, ...causeRows(causes)]),
				];
	return [title, "", ...markdownTable([head, ...all.map(cellsOf)]), "", ...rest, ""].join("\n");
}

function causeRows(causes: Figures["causes"]): readonly (readonly string[])[] {
	return Object.entries(causes)
		.toSorted(([, a], [, b]) => b.missed - a.missed)
		.map(([source, { missed, large, acrossTasks }]) => [source, ...[missed, large, acrossTasks].map(String)]);
}

function cellsOf(row: PolicyFigures): readonly string[] {
	const { kept } = row;
	const [, adapted] = row.costWithRepair;
	return [
		row.policy,
		...row.cost.map((cost) => estimate(cost, 1, 2)),
		estimate(adapted, 1, 2),
		String(row.repairs),
		...[kept.edit, kept.editCross, kept.path, kept.ident].map((share) => estimate(share, 100, 1)),
		String(row.missedEdits),
		String(row.overBudget),
		number(row.faultRate, 100, 1),
	];
}

function estimate(share: Share | undefined, scale: number, digits: number): string {
	if (!share) return "-";
	const { value, interval } = share;
	const text = number(value, scale, digits);
	if (!interval || !Number.isFinite(value)) return text;
	return `${text} [${number(interval.low, scale, digits)}, ${number(interval.high, scale, digits)}]`;
}

function number(value: number, scale: number, digits: number): string {
	return Number.isFinite(value) ? (scale * value).toFixed(digits) : "-";
}
