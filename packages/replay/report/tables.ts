/** A report as tables, each with what it cannot show: drawn on the page, or printed in a terminal. */
import { countOf, formatTokens, sum } from "#basics";
import { describeMarks } from "#pi/health";
import { type Grounding, type GroundingCount, totalGrounding } from "../metrics/grounding.ts";
import type { PolicyReport } from "./figures.ts";
import type { Interval } from "./intervals.ts";
import type { Report } from "./report.ts";
import { layOutTable, wrapText } from "./text-table.ts";

export interface TableText {
	/** The lines above the table. */
	readonly title: readonly string[];
	readonly head: readonly string[];
	readonly rows: readonly (readonly string[])[];
	/** Sentences on the meaning of the figures and on their limits. */
	readonly limits: readonly string[];
}

/** The heading, and the cell of each policy; false for a column that is left out. */
type Column = readonly [title: string, cell: (policy: PolicyReport) => string] | false;

/** Says which sessions were replayed and how. */
export function describeRun({ policies, sessions, ...report }: Report): string {
	const { replayed, annotated, planned, formats } = sessions;
	const counted = Object.entries(formats);
	const named = counted.map(([format, count]) => (counted.length === 1 ? format : `${count} ${format}`));
	return (
		`${countOf(replayed, "session")} (${named.join(", ")}), budget ${describeBudgets(policies)}` +
		`${report.interrupted ? `; INTERRUPTED, ${planned} were to be replayed` : ""}; ` +
		`sessions in which the agent marked its work: ${annotated}`
	);
}

/** `auto (at most 160.0k tokens), 50.0k, 80.0k tokens`; without eviction a budget means nothing. */
function describeBudgets(policies: readonly PolicyReport[]): string {
	const auto = policies.find(({ isAuto }) => isAuto);
	const fixed = policies
		.filter(({ isAuto, policy }) => !isAuto && !(auto && policy === "none"))
		.map(({ budget }) => formatTokens(budget));
	return [
		...(auto ? [`auto (at most ${formatTokens(auto.budget)} tokens)`] : []),
		...(fixed.length > 0 ? [`${[...new Set(fixed)].join(", ")} tokens`] : []),
	].join(", ");
}

/** Traffic, and what was kept under pressure, where there was any. */
export function tabulateReport(report: Report): readonly TableText[] {
	return [tabulateTraffic(report), ...(report.sessions.pressed > 0 ? [tabulateGrounding(report)] : [])];
}

function tabulate(columns: readonly Column[], policies: readonly PolicyReport[]) {
	const shown = columns.filter((column) => column !== false);
	return {
		head: ["policy", ...shown.map(([title]) => title)],
		rows: policies.map((policy) => [policy.policy, ...shown.map(([, cell]) => cell(policy))]),
	};
}

/** Says in which tokens the sizes are, and by how much they differ from ours. */
function describeTokens({ calibration, sessions }: Report): string {
	if (!calibration) return "Tokens are our own count (o200k): no session records what its provider counted.";
	const { factor, overhead, bySession } = calibration;
	const few = factor.most - factor.least < 0.05;
	const range = few ? "" : ` (${factor.least.toFixed(2)} to ${factor.most.toFixed(2)})`;
	const rest = bySession.length < sessions.replayed ? "; those of the others are our own count (o200k)" : "";
	return (
		`Tokens of ${bySession.length} of ${countOf(sessions.replayed, "session")} are the provider's, learned from recorded usage: ` +
		`${factor.median.toFixed(2)} times ours for text${range}, with a prompt of ${formatTokens(overhead)}${rest}.`
	);
}

function tabulateTraffic(report: Report): TableText {
	const { policies, marks } = report;
	const models = Object.keys(policies[0]?.dollars ?? {});
	const hasExtra = policies.some(({ extraCalls }) => extraCalls.calls > 0);
	const columns: readonly Column[] = [
		["requests", ({ requests }) => String(requests)],
		["tokens sent", ({ tokensProcessed }) => formatTokens(tokensProcessed)],
		["mean context", ({ meanContext }) => formatTokens(meanContext)],
		["largest context", ({ maxContext }) => formatTokens(maxContext)],
		["over budget", ({ overBudget }) => String(overBudget)],
		["passes", ({ passes }) => String(passes)],
		["cache breaks", ({ prefixBreaks }) => String(prefixBreaks)],
		["cached %", ({ cachedShare }) => percent(cachedShare)],
		hasExtra && ["summary calls", ({ extraCalls }) => String(extraCalls.calls)],
		...models.map((model): Column => [`$ ${model}`, ({ dollars }) => fixed(dollars[model], 2)]),
		["broken rules", ({ violations }) => String(violations)],
	];
	const dollars =
		"$: at the prices of pi's model table; Anthropic reads up to breakpoints, others in steps of 128 tokens.";
	const limits = [
		"Recorded steps never change: what an agent with less in its context would have read again is in no figure. " +
			`${describeTokens(report)} Caches never expire.`,
		...(models.length > 0 ? [dollars] : []),
		...(marks ? [`Marks: ${percent(marks.share)} % ${describeMarks(marks)}.`] : []),
	];
	return { title: [], ...tabulate(columns, policies), limits };
}

const kinds: readonly (readonly [keyof Grounding, string])[] = [
	["edit", "edits"],
	["own", "own text"],
	["name", "names"],
	["conclusion", "conclusions"],
];

function tabulateGrounding({ policies, advice, budget, sessions }: Report): TableText {
	const [model = ""] = Object.keys(policies[0]?.dollars ?? {});
	const isCompared = policies.some(({ costComparedToNone }) => costComparedToNone !== null);
	const compared = (title: string, key: "costComparedToNone" | "chargedCostComparedToNone"): Column =>
		isCompared && [title, (policy) => fixed(policy[key], 3) + range(policy.intervals[key], 2)];
	const columns: readonly Column[] = [
		["requests", ({ pressed }) => String(pressed?.requests ?? 0)],
		["mean context", ({ pressed }) => (pressed ? formatTokens(pressed.meanContext) : "-")],
		["over budget", ({ pressed }) => String(pressed?.overBudget ?? 0)],
		["looks", ({ looks }) => String(looks.count)],
		compared("cost vs. none", "costComparedToNone"),
		compared("charged cost", "chargedCostComparedToNone"),
		model !== "" && [`$ ${model}`, ({ pressed }) => fixed(pressed?.dollars[model], 2)],
		advice !== null && ["kept, all", ({ grounding }) => keptShare(totalGrounding(grounding))],
		...kinds.map(
			([kind, title]): Column =>
				policies.some(({ grounding }) => grounding[kind].needed > 0) && [
					title,
					({ grounding, intervals }) => keptShare(grounding[kind], intervals[kind]),
				],
		),
	];
	const title = [
		`Under pressure: from the first request whose whole history passes ${formatTokens(budget)} tokens (${countOf(sessions.pressed, "session")}).`,
	];
	const ratio =
		`cost vs. none: at ${model === "" ? "Anthropic-like" : "these"} prices, as a share of what no eviction costs. ` +
		"charged cost: the same with the looks.";
	const isDrawn = policies.some(({ intervals }) => intervals.costComparedToNone !== null);
	const doubt =
		"In brackets: 95 % intervals from drawing projects, then their sessions, with replacement. Overlapping ones do not say that two rows are alike: " +
		`only the interval of their difference, over the same draws, does${advice === null ? ", and the first sentence goes by it" : ""}.`;
	const limits = [
		...(isCompared ? [ratio] : []),
		...(isDrawn ? [doubt] : []),
		"looks: requests whose recorded step used something that was gone; each is charged as one more request, with an " +
			"answer of average length and the content that it brings back.",
		"edits to names: of what later recorded steps needed (how many), the percentage still in the request. Own text: what " +
			"the agent itself wrote before. Names: of files and identifiers that are in few messages. " +
			"Conclusions, at the last request: labelled lines, descriptions of episodes, the last answer of each turn. " +
			"Text in the request is not always used (docs/replay.md).",
	];
	return { title, ...tabulate(columns, policies), limits };
}

function keptShare({ kept, needed }: GroundingCount, interval: Interval | null = null): string {
	if (needed === 0) return "-";
	const shares: Interval | null = interval && [100 * interval[0], 100 * interval[1]];
	return `${percent(kept / needed)}${range(shares, 0)} (${needed})`;
}

/** ` [0.52-0.63]`; empty without an interval, or where it is one value. */
function range(interval: Interval | null, digits: number): string {
	if (!interval || interval[0] === interval[1]) return "";
	return ` [${interval[0].toFixed(digits)}-${interval[1].toFixed(digits)}]`;
}

function percent(share: number | null): string {
	return share === null ? "-" : (100 * share).toFixed(1);
}

function fixed(value: number | null | undefined, digits: number): string {
	return value === null || value === undefined ? "-" : value.toFixed(digits);
}

/** Lines of each list of trouble; `--json` has all of them. */
const SHOWN = 10;

/** Broken rules, damaged lines and files that were not replayed; empty when all went well. */
export function formatTrouble({ policies, damage, problems }: Report): readonly string[] {
	const violations = policies.flatMap(({ policy, violationExamples }) =>
		violationExamples.map(
			({ session, request, rule, detail }) => `${policy}: ${session} request ${request}: ${rule}: ${detail}`,
		),
	);
	const broken = sum(policies, (policy) => policy.violations);
	const damaged = damage.map(({ place, reason }) => `${place}: ${reason}`);
	const failed = problems.map(({ message }) => message);
	return [
		...listTrouble("Violations", violations, broken),
		...listTrouble("Damaged lines", damaged, damaged.length),
		...listTrouble("Not replayed", failed, failed.length),
	];
}

function listTrouble(title: string, lines: readonly string[], total: number): readonly string[] {
	if (total === 0) return [];
	const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`);
	const rest = total - shown.length;
	const more = rest > 0 ? [`  and ${rest} more (--json lists them)`] : [];
	return ["", `${title}: ${total}`, ...shown, ...more];
}

/** Longer lines of prose are hard to read, however wide the terminal is. In characters. */
const WIDEST_TEXT = 112;

/**
 * The verdict, the tables, each with what it cannot show, and what could not be replayed, for a terminal of `width`
 * characters; where there is none, tables are as wide as they are. Ends with a newline.
 */
export function formatReport(report: Report, width = Infinity): string {
	const write = (text: string) => wrapText(text, Math.min(width, WIDEST_TEXT));
	const tables = tabulateReport(report).flatMap(({ title, head, rows, limits }) => {
		return ["", ...title.flatMap(write), ...layOutTable([head, ...rows], width), ...limits.flatMap(write)];
	});
	const figures = [...write(report.verdict), "", ...write(describeRun(report)), ...tables];
	const lines = report.sessions.replayed === 0 ? [report.verdict] : figures;
	return `${[...lines, ...formatTrouble(report)].join("\n")}\n`;
}
