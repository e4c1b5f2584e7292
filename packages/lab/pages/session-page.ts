/** The report of one session as a page. */
import { formatTokens } from "#pi";
import type { SessionReport } from "../session-report/session-report.ts";
import { formatDocument } from "./document.ts";
import { element, type Markup } from "./markup.ts";
import { drawCache, drawContext, drawCosts, drawGraph } from "./session-charts.ts";
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
		RULES,
		element("p", { class: "stamp" }, [...about, stamp].join(" \u00b7 ")),
		drawTiles(report),
		drawAlerts(report),
		...(report.requests.length === 0
			? [element("p", {}, "No request has been answered yet.")]
			: [drawContext(report), drawCache(report), drawCosts(report), drawGraph(report)]),
		drawPasses(report),
		drawHealth(report),
		element("footer", {}, element("p", {}, FOOTER)),
	);
}

const FOOTER =
	"Sizes are counted with o200k, those of the cache are the provider's own. What the model would have done with more or " +
	"less in sight is in no figure: without eviction and under compaction the recorded steps are taken to be the same.";

const COLOURS = Array.from({ length: 10 }, (_, colour) => `.k${colour}{--c:var(--c${colour})}`).join("");
const RULES = `${COLOURS}
svg .layer{fill:var(--c);fill-opacity:.82;stroke:var(--panel);stroke-width:.4}
svg .mark{stroke:var(--ink);stroke-opacity:.75;stroke-width:1.2;stroke-dasharray:2 3}
svg .bar{fill:var(--c);fill-opacity:.16;stroke:var(--c);stroke-width:1}
svg .rest{fill:var(--c)}
svg .edge{fill:none;stroke:var(--soft);stroke-opacity:.55}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.5rem 0;padding:0;list-style:none;color:var(--soft);font-size:.85rem}
.key svg{width:11px;height:11px;margin-right:.35rem}
.alert{border-left:3px solid var(--c);padding-left:.9rem}
.alert.critical{--c:var(--warn)}.alert.warning{--c:var(--c5)}.alert.notice{--c:var(--c3)}
.wordy :is(td,th):last-child{white-space:normal;text-align:left;min-width:18rem}
`;

function drawTiles({ requests, passes, health, costs }: SessionReport): Markup {
	const evicted = passes.reduce((sum, { before, after }) => sum + before - after, 0);
	const input = requests.reduce((sum, row) => sum + row.input, 0);
	const cached = requests.reduce((sum, row) => sum + row.cached, 0);
	const [own, none] = costs.arms;
	const saved =
		own && none && none.total > 0 && passes.length > 0
			? `${Math.round(100 * (1 - own.total / none.total))} %`
			: "-";
	const tiles: readonly (readonly [string, string])[] = [
		[String(requests.length), "requests"],
		[String(passes.length), `passes, ${formatTokens(evicted)} tokens evicted`],
		[input > 0 ? `${Math.round((100 * cached) / input)} %` : "-", "of the input read from the cache"],
		[saved, "cheaper than without eviction"],
		[`${(100 * health.regret.share).toFixed(1)} %`, "of what passes took was read again"],
	];
	return element(
		"ul",
		{ class: "tiles" },
		tiles.map(([figure, what]) => element("li", {}, element("strong", {}, figure), what)),
	);
}

function drawAlerts({ alerts }: SessionReport): readonly Markup[] {
	return alerts.map(({ grade, text, remedy }) =>
		element(
			"p",
			{ class: `alert ${grade}` },
			element("strong", {}, grade),
			`: ${text}. What helps: ${remedy}.`,
		),
	);
}
