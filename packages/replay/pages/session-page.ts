/** The report of one session as a page: what was sent, what each pass took and what it led to, cost, and health. */
import { countOf, formatTokens, sum } from "#basics";
import { CwlError, messageOf } from "#pi";
import { replaceTextFile } from "#pi/files";
import { describeHealth } from "#pi/health";
import { levelText, ownMessages, showTokens } from "#pi/screen";
import type { EpisodeRow, PassRow } from "../session-report/rows.ts";
import type { SessionReport } from "../session-report/session-report.ts";
import { drawTable, element, formatDocument, type Markup, section } from "./document.ts";
import { drawCache, drawContext, drawCosts } from "./session-charts.ts";

/**
 * Writes the page of a report, stamped with the day; only its owner may read it.
 * @throws CwlError `bad-report` when it cannot be written
 */
export async function writeReport(path: string, report: SessionReport, now: Date): Promise<void> {
	try {
		replaceTextFile(path, formatSessionPage(report, `made on ${now.toISOString().slice(0, 10)}`));
	} catch (error) {
		throw new CwlError("bad-report", `${path} cannot be written (${messageOf(error)}).`);
	}
}

/** The default path of the page of a session. */
export function reportPath(file: string): string {
	return `${file.replace(/\.jsonl$/, "")}.report.html`;
}

/** One self-contained page; `stamp` says when and with which version it was made. */
export function formatSessionPage(report: SessionReport, stamp: string): string {
	const { session, branch, folder, model, budget } = report;
	const about = [
		`session ${session}, ${branch}`,
		folder,
		model ?? "no answer yet",
		`budget ${formatTokens(budget)} tokens`,
	];
	return formatDocument(
		"Context of a session",
		element("p", { class: "stamp" }, [...about, stamp].join(" \u00b7 ")),
		element("p", { class: "verdict" }, report.verdict),
		drawAlerts(report),
		...(report.requests.length === 0
			? [element("p", {}, "No request has been answered yet.")]
			: [drawContext(report), drawCache(report), drawCosts(report), drawEpisodes(report)]),
		drawPasses(report),
		drawHealth(report),
		element("footer", {}, element("p", {}, describeUnits(report))),
	);
}

function describeUnits({ scale }: SessionReport): string {
	const sizes = scale
		? "Sizes are the provider's tokens, as learned from the usage that the file records."
		: "Sizes are counted with the o200k tokenizer; the cache figures are the provider's own, where it reported any.";
	const rest =
		"A replay repeats the recorded steps: what the model would have done with more or less in sight is in no figure.";
	return `${sizes} ${rest}`;
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

/** More rows cannot be read: the largest episodes are shown. */
const MAX_ROWS = 60;

function drawEpisodes({ episodes }: SessionReport): readonly Markup[] {
	if (episodes.length === 0) return [];
	const wanted = new Set(episodes.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_ROWS));
	const rows = episodes
		.filter((episode) => wanted.has(episode))
		.map((row) => {
			const basis = row.dependencies.length > 0 ? [`builds on ${row.dependencies.join(", ")}`] : [];
			return [
				row.name,
				row.isRecall ? "recalled" : row.origin === "inferred" ? "inferred" : row.kind,
				`${row.from} to ${row.to}`,
				formatTokens(row.tokens),
				formatTokens(row.sentTokens),
				stateOf(row),
				[...basis, ...(row.description ? [row.description] : [])].join("; "),
			];
		});
	const rest = episodes.length - rows.length;
	const more = rest === 0 ? "" : ` ${countOf(rest, "small one")} left out.`;
	const head = ["episode", "kind", "requests", "tokens", "in the context", "state", "what it holds"];
	const text = `The pieces of work, with the requests in which they grew and what is still sent of them.${more}`;
	return section("Episodes", text, drawTable(head, rows, [], true));
}

function stateOf({ level, isCompacted, state, sentTokens }: EpisodeRow): string {
	if (isCompacted) return `${sentTokens > 0 ? "in part " : ""}replaced by the summary of a compaction`;
	return level > 0 ? levelText(level) : state;
}

/** Episodes of a pass that are named in its row. */
const MAX_NAMED = 6;

/** The verdict says why a session without a pass has none. */
function drawPasses({ passes }: SessionReport): readonly Markup[] {
	if (passes.length === 0) return section("Passes", "No pass was made.");
	const rows = passes.map((pass) => {
		const { number, request, before, after, isKnown, sent, rewritten, again } = pass;
		const { strips, reductions, released, lines, blockers } = pass;
		const show = (tokens: number) => showTokens(tokens, isKnown);
		const named = strips.slice(0, MAX_NAMED).map(({ episode, level, tokens }) => {
			return `${episode} (level ${level}, ${show(tokens)})`;
		});
		const more = strips.length > MAX_NAMED ? [`${strips.length - MAX_NAMED} more`] : [];
		const reduced = sum(reductions, ({ tokens }) => tokens);
		const blocked = blockers.map(({ what, tokens }) => `blocked by ${what}, ${show(tokens)}`);
		return [
			String(number),
			request === null ? "-" : String(request),
			describeCause(pass),
			show(before),
			show(sent ?? after),
			rewritten === null ? "-" : formatTokens(rewritten),
			formatTokens(again),
			[
				...(released ? [`${ownMessages(released.messages)} (${show(released.tokens)})`] : []),
				...named,
				...more,
				...(reduced === 0 ? [] : [`${countOf(reductions.length, "output")} reduced (${show(reduced)})`]),
				...(lines === 0 ? [] : [`lines for evicted episodes (${show(lines)})`]),
				...blocked,
			].join("; "),
		];
	});
	const head = ["pass", "request", "why", "before", "after", "rewritten", "read again", "what went"];
	const limits = [
		"rewritten: tokens that had been sent before and were written to the cache again, as the provider reported it where it did.",
		"read again: tokens of the pass that were read again since; in the table of health, regret is what of them had not paid for itself.",
		"level 1: old thinking is gone. levels 2 and 3: also other parts. level 4: the whole episode.",
	];
	const table = drawTable(head, rows, limits, true);
	return section("Passes", "What was evicted, why, and what it cost.", table);
}

function describeCause({ policy, decision, isManual, isUndone }: PassRow): string {
	const cause = isManual || !decision ? policy : `${policy}, ${decision.reason}`;
	return isUndone ? `${cause}; undone` : cause;
}

function drawHealth({ health }: SessionReport): readonly Markup[] {
	// How fast it grows is a question about the next requests: a running session answers that.
	const lasting = describeHealth(health).filter(({ metric }) => metric !== "burn rate");
	const rows = lasting.map(({ metric, value, detail }) => [metric, value, detail]);
	const regrets = health.regret.calls.map(({ tool, path, tokens, pass, times }) => [
		path ?? tool,
		tool,
		formatTokens(tokens),
		String(pass),
		times === 1 ? "once" : `${times} times`,
	]);
	return [
		...section(
			"Health",
			"Without a model: every figure is counted.",
			drawTable(["metric", "value", ""], rows, [], true),
		),
		...(regrets.length === 0
			? []
			: section(
					"Read again",
					"What was read again after a pass had taken it.",
					drawTable(["what", "tool", "tokens", "pass", "lines shown again"], regrets),
				)),
	];
}
