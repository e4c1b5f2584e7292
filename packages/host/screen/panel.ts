/** The panel as lines of a terminal: budget, alerts, the episode graph and the history of passes. */
import type { Pass } from "../../core/log.ts";
import { formatTokens } from "../budget.ts";
import type { StateReport } from "../state-report.ts";
import { pad, shorten } from "./columns.ts";
import type { PanelState } from "./panel-keys.ts";

export interface PanelSources {
	readonly report: StateReport;
	/** Oldest first. */
	readonly log: readonly Pass[];
}

type Episode = StateReport["episodes"][number];

const MOST_ALERTS = 3;
const MOST_PASSES = 5;
const KEYS = "↑↓ move · enter open · p pin · u unpin · r recall · / filter · q close";
/** What is left of an episode after each strip level (paper 4.4). */
const levelBars = ["████", "███░", "██░░", "█░░░", "░░░░"] as const;

/** Episodes that the filter leaves, the newest first. */
export function listedEpisodes({ report }: PanelSources, { filter }: PanelState): readonly Episode[] {
	const wanted = filter.toLowerCase();
	const isListed = ({ name, kind }: Episode) => `${kind} ${name}`.toLowerCase().includes(wanted);
	return report.episodes.filter(isListed).toReversed();
}

/** At most `height` lines of exactly `width` columns, framed. */
export function panelLines(
	sources: PanelSources,
	state: PanelState,
	width: number,
	height: number,
): readonly string[] {
	const inner = Math.max(1, width - 4);
	const head = [describeBudget(sources), describeParts(sources), ...describeAlerts(sources)];
	const passes = describePasses(sources);
	const room = Math.max(3, height - head.length - passes.length - 6);
	const body = [...head, "", ...describeEpisodes(sources, state, inner, room), "", ...passes, "", KEYS];
	const frame = (line: string) => `│ ${pad(line, inner)} │`;
	const edge = "─".repeat(Math.max(0, width - 2));
	return [`┌${edge}┐`, ...body.map(frame), `└${edge}┘`]
		.slice(0, Math.max(2, height))
		.map((line) => pad(line, width));
}

function describeBudget({ report, log }: PanelSources): string {
	const { budget, ledger, nextPass } = report;
	const level = Math.round((100 * ledger.total) / budget);
	const used = `${formatTokens(ledger.total)} of ${formatTokens(budget)} tokens, ${level}%`;
	const passes = `${log.length} ${log.length === 1 ? "pass" : "passes"}`;
	return `${used} · next pass in ${formatTokens(Math.max(0, nextPass.dueIn))} · ${passes}`;
}

/** Components with anything in them, each with its share of the budget. */
function describeParts({ report: { ledger, budget } }: PanelSources): string {
	const { total: _, ...parts } = ledger;
	return Object.entries(parts)
		.filter(([, tokens]) => tokens > 0)
		.map(([name, tokens]) => `${name} ${formatTokens(tokens)} ${Math.round((100 * tokens) / budget)}%`)
		.join(" · ");
}

function describeAlerts({ report: { alerts } }: PanelSources): readonly string[] {
	const shown = alerts.slice(0, MOST_ALERTS).map(({ grade, text }) => `! ${grade}: ${text}`);
	return alerts.length > MOST_ALERTS ? [...shown, `! and ${alerts.length - MOST_ALERTS} more`] : shown;
}

/** A window of `room` lines around the cursor. */
function describeEpisodes(
	sources: PanelSources,
	state: PanelState,
	width: number,
	room: number,
): readonly string[] {
	const episodes = listedEpisodes(sources, state);
	const filter =
		state.isTyping || state.filter !== "" ? ` · filter: ${state.filter}${state.isTyping ? "▏" : ""}` : "";
	const title = `Episodes ${episodes.length} of ${sources.report.episodes.length}, newest first${filter}`;
	const lines = episodes.flatMap((episode, index) => {
		const isChosen = index === state.cursor;
		const line = describeEpisode(episode, isChosen, width);
		return isChosen && state.isOpen ? [line, ...describeDetails(episode)] : [line];
	});
	const first = Math.max(0, Math.min(state.cursor - Math.floor(room / 2), lines.length - room));
	return [title, ...lines.slice(first, first + room)];
}

/** Its name has what the other columns leave. */
function describeEpisode(episode: Episode, isChosen: boolean, width: number): string {
	const { kind, name, state, pinned, level, tokens, evictedTokens, dependencies } = episode;
	const marks = `${isChosen ? "▸" : " "} ${levelBars[level]} ${kind.padEnd(4)} `;
	const left = formatTokens(tokens - evictedTokens);
	const size = evictedTokens > 0 ? `${left} of ${formatTokens(tokens)}` : left;
	const status = pinned ? "pinned" : level === 4 ? "evicted" : state;
	const needs = dependencies.length > 0 ? ` ← ${dependencies.join(", ")}` : "";
	const tail = ` ${status.padEnd(7)} ${size.padStart(12)}`;
	return marks + pad(`${name}${needs}`, Math.max(1, width - marks.length - tail.length)) + tail;
}

function describeDetails({ origin, level, dependencies, description }: Episode): readonly string[] {
	return [
		`    ${origin}; stripped to level ${level} of 4; needs ${dependencies.join(", ") || "nothing"}`,
		...(description === null ? [] : [`    ${description}`]),
	];
}

/** The newest passes, the newest last: each a prefix break, with what it cost and frees. */
function describePasses({ log }: PanelSources): readonly string[] {
	if (log.length === 0) return ["No pass yet"];
	const first = Math.max(0, log.length - MOST_PASSES);
	const lines = log.slice(first).map((pass, index) => describePass(pass, first + index + 1));
	return ["Passes", ...lines];
}

function describePass({ before, after, policy, decision }: Pass, number: number): string {
	const sizes = `#${number} ${policy}: ${formatTokens(before)} → ${formatTokens(after)}`;
	if (!decision) return sizes;
	const { freed, rewritten, paidBackAfter } = decision;
	const paid = paidBackAfter === undefined ? "" : `, pays after ${Math.ceil(paidBackAfter)}`;
	return `${sizes} · break of ${formatTokens(rewritten)} · each request ${formatTokens(freed)} smaller${paid}`;
}

/** For a terminal that is too small for the frame. */
export function tooSmall(width: number): readonly string[] {
	return [shorten("cwl: this terminal is too small for the panel; q closes it", width)];
}
