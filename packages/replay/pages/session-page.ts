/** The report of one session as a page. */
import { formatTokens } from "#pi";
import type { SessionReport } from "../session-report/session-report.ts";
import { formatDocument } from "./document.ts";
import { drawEpisodes } from "./episodes-chart.ts";
import { element, type Markup } from "./markup.ts";
import { drawTileList } from "./section.ts";
import { drawCache, drawContext, drawCosts } from "./session-charts.ts";
import { drawHealth, drawPasses } from "./session-tables.ts";

/** One self-contained page; `stamp` says when and with which version it was made. */
export function formatSessionPage(report: SessionReport, stamp: string): string {
	const { session, folder, model, budget } = report;
	const about = [
		`session ${session}`,
		folder,
		model ?? "no answer yet",
		`budget ${formatTokens(budget)} tokens`,
	];
	return formatDocument(
		"Context of a session",
		element("p", { class: "stamp" }, [...about, stamp].join(" \u00b7 ")),
		element("p", { class: "verdict" }, report.verdict),
		drawTiles(report),
		drawAlerts(report),
		...(report.requests.length === 0
			? [element("p", {}, "No request has been answered yet.")]
			: [drawContext(report), drawCache(report), drawCosts(report), drawEpisodes(report)]),
		drawPasses(report),
		drawHealth(report),
		element("footer", {}, element("p", {}, FOOTER)),
	);
}

const FOOTER =
	"Sizes are counted with the o200k tokenizer; the largest request of the first sentence and the cache figures are the provider's own, " +
	"where it reported any. A replay repeats the recorded steps: " +
	"what the model would have done with more or less in sight is in no figure.";

function drawTiles({ requests, passes, compactions, health }: SessionReport): Markup {
	const held = passes.filter(({ isUndone }) => !isUndone);
	const evicted = held.reduce((sum, { before, after }) => sum + before - after, 0);
	const input = requests.reduce((sum, row) => sum + row.input, 0);
	const cached = requests.reduce((sum, row) => sum + row.cached, 0);
	const tiles: readonly (readonly [string, string])[] = [
		[String(requests.length), requests.length === 1 ? "request" : "requests"],
		[
			String(held.length),
			`${held.length === 1 ? "pass" : "passes"} of cwl, ${formatTokens(evicted)} tokens evicted`,
		],
		...(compactions.length > 0
			? [
					[
						String(compactions.length),
						`${compactions.length === 1 ? "compaction" : "compactions"} by another program`,
					] as const,
				]
			: []),
		...(input > 0
			? [[`${Math.round((100 * cached) / input)} %`, "of the input read from the cache"] as const]
			: []),
		...(held.length > 0
			? [[`${(100 * health.regret.share).toFixed(1)} %`, "of what passes evicted was read again"] as const]
			: []),
	];
	return drawTileList(tiles);
}

function drawAlerts({ alerts }: SessionReport): readonly Markup[] {
	return alerts.map(({ grade, text, remedy }) =>
		element("p", { class: `alert ${grade}` }, element("strong", {}, grade), `: ${text}. To do: ${remedy}.`),
	);
}
