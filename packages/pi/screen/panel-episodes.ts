/** The episode graph in the panel: a row an episode, and all about the one that is open. */

import { OTHER_TEXT, type StateReport } from "../health/state-report.ts";
import type { PanelState } from "./panel-keys.ts";
import { showTokens } from "./sizes.ts";
import { fitLine, type Line, span, spread, type Tone, wrap } from "./terminal-text.ts";

type Episode = StateReport["episodes"][number];

/** The words for each strip level of an episode (paper 4.4); policies differ in the parts that they take at the two in the middle. */
const removed = [
	"whole",
	"reasoning has left",
	"part of it has left",
	"part of it has left",
	"all of it has left, recall reaches it",
] as const;

/** The tone of a bar by its full cells. */
const fillTones: readonly Tone[] = ["dim", "orange", "yellow", "green", "green"];
const BAR = fillTones.length - 1;

/** The full cells of the bar: the share of the tokens that is left, rounded; full and empty only where all or nothing is. */
function fillOf({ tokens, evictedTokens }: Episode): number {
	if (evictedTokens <= 0) return BAR;
	if (evictedTokens >= tokens) return 0;
	return Math.min(BAR - 1, Math.max(1, Math.round((BAR * (tokens - evictedTokens)) / tokens)));
}

/** Lines that a description may take. */
const MAX_DESCRIPTION = 4;
/** The width of the columns next to the name: cursor, bar, kind, state, tokens now and before. */
const STATE_COLUMNS = 7;
const NOW_COLUMNS = 6;
const BEFORE_COLUMNS = 8;
/** From these widths on the state has a column, and what there was before. */
const WITH_STATE = 48;
const WITH_BEFORE = 66;

/** Episodes that the filter leaves, the newest first. Without one, only the title has the size of the answers and notes between the episodes. */
export function listedEpisodes({ episodes }: StateReport, { filter }: PanelState): readonly Episode[] {
	const wanted = filter.toLowerCase();
	const isListed = (episode: Episode) =>
		wanted === ""
			? !episode.isAnswer
			: `${episode.kind} ${statusOf(episode)} ${episode.name} ${episode.restOf ?? ""}`
					.toLowerCase()
					.includes(wanted);
	return episodes.filter(isListed).toReversed();
}

/** Over the rows: how many there are, and what the columns hold. */
export function episodeTitle(report: StateReport, state: PanelState, width: number) {
	const count = listedEpisodes(report, state).length;
	const answers = report.episodes.filter(({ isAnswer }) => isAnswer);
	const size = answers.reduce((sum, { tokens, evictedTokens }) => sum + tokens - evictedTokens, 0);
	const counted = size === 0 ? `${count}` : `${count} · ${OTHER_TEXT} ${sizeText(report, size)}`;
	const filter = state.filter !== "" || state.isTyping ? ` /${state.filter}${state.isTyping ? "▏" : ""}` : "";
	const columns = `${width < WITH_STATE ? "" : "state   "}now${width < WITH_BEFORE ? "" : "  before"}`;
	return {
		title: `Episodes ${state.filter === "" ? counted : count}${filter}`,
		note: [span(columns, "dim")],
	};
}

/** A window of `room` rows around the cursor. */
export function episodeRows(
	report: StateReport,
	state: PanelState,
	width: number,
	room: number,
): readonly Line[] {
	const episodes = listedEpisodes(report, state);
	if (episodes.length === 0) return [[span(emptyText(report, state), "dim")]];
	const before = Math.max(0, Math.min(state.cursor - Math.floor(room / 2), episodes.length - room));
	const shown = episodes.slice(before, before + room);
	const rows = shown.flatMap((episode, index): readonly Line[] => {
		const isChosen = before + index === state.cursor;
		const row = episodeRow(report, episode, isChosen, width);
		return isChosen && state.isOpen ? [row, ...detailRows(report, episode, width)] : [row];
	});
	// Details may push their own row out of sight: then the rows above it give way.
	const cursor = state.cursor - before;
	const last = rows.length - (shown.length - 1 - cursor);
	const first = Math.max(0, Math.min(cursor, last - room));
	return rows.slice(first, first + room);
}

function emptyText({ episodes }: StateReport, { filter }: PanelState): string {
	if (filter !== "") return `Nothing matches ${filter}. Esc shows all again.`;
	if (episodes.length > 0) return "The model has marked no episode and called no tool yet.";
	return "No episode yet. They appear as soon as the model works.";
}

/** The name has what the other columns leave; what it needs has what the name leaves. */
function episodeRow(report: StateReport, episode: Episode, isChosen: boolean, width: number): Line {
	const { kind, name, restOf, level, tokens, evictedTokens, dependencies, isRecall } = episode;
	const fill = fillOf(episode);
	const status = statusOf(episode);
	const before = evictedTokens > 0 ? sizeText(report, tokens) : "";
	const left = [
		span(isChosen ? "▸ " : "  ", "strong"),
		span("█".repeat(fill), fillTones[fill]),
		span("░".repeat(BAR - fill), "dim"),
		...(isRecall
			? [span(" note ", "dim")]
			: [span(` ${kind.padEnd(4)} `, kind === "expl" ? "cyan" : "green")]),
		span(name, isChosen ? "strong" : level === 4 ? "dim" : "plain"),
		...(isRecall ? [span(" (recalled)", "dim")] : []),
		...(restOf === null ? [] : [span(` (rest of ${restOf})`, "dim")]),
		...(dependencies.length > 0 ? [span(` ← ${dependencies.join(", ")}`, "dim")] : []),
	];
	const now = span(sizeText(report, tokens - evictedTokens).padStart(NOW_COLUMNS));
	const right = [
		...(width < WITH_STATE ? [] : [span(` ${status.padEnd(STATE_COLUMNS)}`, tones.get(status) ?? "dim")]),
		now,
		...(width < WITH_BEFORE ? [] : [span(before.padStart(BEFORE_COLUMNS), "dim")]),
	];
	return spread(left, right, width);
}

/** A size as it is shown everywhere. */
function sizeText({ pressure }: StateReport, tokens: number): string {
	return showTokens(tokens, pressure.source === "reported");
}

function statusOf({ state, level, pinned }: Episode): string {
	if (pinned) return "pinned";
	return level === 4 ? "evicted" : state;
}

const tones: ReadonlyMap<string, Tone> = new Map([
	["pinned", "magenta"],
	["open", "cyan"],
]);

function detailRows({ episodes }: StateReport, episode: Episode, width: number): readonly Line[] {
	const { name, origin, state, level, dependencies, description } = episode;
	const needed = episodes.filter((other) => other.dependencies.includes(name)).map((other) => other.name);
	const facts = [
		["state", `${state}, ${origin}; ${removed[level]}`],
		["needs", dependencies.join(", ") || "nothing"],
		["needed by", needed.join(", ") || "nothing"],
		["learned", description ?? (state === "open" ? "not ended yet" : "no description")],
	] as const;
	return facts.flatMap(([label, text]) => {
		const lines = wrap(text, width - INDENT, MAX_DESCRIPTION);
		return lines.map((line, index) =>
			fitLine([span(`      ${index === 0 ? label : ""}`.padEnd(INDENT), "dim"), ...line], width),
		);
	});
}

const INDENT = 17;
