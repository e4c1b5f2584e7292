/** The tables of a session's report: what each pass took and what it led to, and the metrics of health. */
import { describeHealth, formatTokens } from "#pi";
import type { TableText } from "../report/report-tables.ts";
import type { PassRow } from "../session-report/pass-rows.ts";
import type { SessionReport } from "../session-report/session-report.ts";
import { element, type Markup } from "./markup.ts";
import { section } from "./section.ts";
import { drawTable } from "./tables.ts";

/** Episodes of a pass that are named in its row. */
const MAX_NAMED = 6;

export function drawPasses(report: SessionReport): readonly Markup[] {
	const { passes } = report;
	if (passes.length === 0) return section("Passes", describeNoPass(report));
	const rows = passes.map((pass) => {
		const { number, request, before, after, decision, regretted, episodes, blockers } = pass;
		const largest = episodes.toSorted((a, b) => b.tokens - a.tokens);
		const named = largest.slice(0, MAX_NAMED).map(({ name, level, tokens }) => {
			return `${name} (level ${level}, ${formatTokens(tokens)})`;
		});
		const more = episodes.length > MAX_NAMED ? [`${episodes.length - MAX_NAMED} more`] : [];
		const blocked = blockers.map(({ what, tokens }) => `blocked by ${what}, ${formatTokens(tokens)}`);
		return [
			String(number),
			request === null ? "-" : String(request),
			describeCause(pass),
			formatTokens(before),
			formatTokens(after),
			decision ? formatTokens(decision.rewritten) : "-",
			decision?.paidBackAfter === undefined ? "-" : `${decision.paidBackAfter}`,
			formatTokens(regretted),
			[...named, ...more, ...blocked].join("; "),
		];
	});
	const table: TableText = {
		title: [],
		head: ["pass", "request", "why", "before", "after", "rewritten", "paid back", "regret", "what went"],
		rows,
		limits: [
			"rewritten: cached tokens behind the cut, sent anew once. paid back: requests after which that was earned.",
			"regret: tokens of it that were read again since.",
		],
	};
	return section(
		"Passes",
		"What was evicted, why, and what it cost.",
		element("div", { class: "wordy" }, drawTable(table)),
	);
}

/** A session without a pass was either small, or not managed by cwl. */
function describeNoPass({ requests, budget, compactions }: SessionReport): string {
	const peak = requests.reduce((most, { ledger, input }) => Math.max(most, input || ledger.total), 0);
	if (peak <= budget) return "No pass was made: no request was larger than the budget.";
	const why =
		compactions.length > 0
			? "another program compacted this session"
			: "cwl was off, or nothing could be evicted";
	return `No pass was made although the largest request had ${formatTokens(peak)} of ${formatTokens(budget)} tokens: ${why}.`;
}

function describeCause({ policy, decision, isManual, isUndone }: PassRow): string {
	const cause = isManual ? "by command" : `${policy}${decision ? `, ${decision.reason}` : ""}`;
	return isUndone ? `${cause}; undone` : cause;
}

export function drawHealth({ health }: SessionReport): readonly Markup[] {
	const rows = describeHealth(health).map(({ metric, value, detail }) => [metric, value, detail]);
	const regrets = health.regret.calls.map(({ tool, path, tokens, pass, times }) => [
		...[path ?? tool, tool, formatTokens(tokens), String(pass), times === 1 ? "once" : `${times} times`],
	]);
	return [
		...section(
			"Health",
			"Without a model: every figure is counted.",
			element(
				"div",
				{ class: "wordy" },
				drawTable({ title: [], head: ["metric", "value", ""], rows, limits: [] }),
			),
		),
		...(regrets.length === 0
			? []
			: section(
					"Regret",
					"What was read again after a pass had taken it.",
					drawTable({
						title: [],
						head: ["what", "tool", "tokens", "pass", "read again"],
						rows: regrets,
						limits: [],
					}),
				)),
	];
}
