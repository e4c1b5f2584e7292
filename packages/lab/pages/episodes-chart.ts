/** The episode graph in time: a bar for each episode, a curve from what an act builds on to the act. */

import type { EpisodeRow } from "../session-report/session-report.ts";
import { type Area, chart, fix, horizontalAxis } from "./frame.ts";
import { element, type Markup } from "./markup.ts";
import { linearScale, type Scale } from "./scale.ts";

const ROW = 18;
const LABEL = 210;
/** Rows beyond these cannot be read; the largest episodes are shown. */
const MAX_ROWS = 60;
/** In characters. */
const MAX_NAME_LENGTH = 30;

export interface ShownEpisodes {
	readonly drawing: Markup;
	/** How many there was no room for. */
	readonly left: number;
}

export function drawEpisodes(episodes: readonly EpisodeRow[], requests: number): ShownEpisodes {
	const wanted = new Set(episodes.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_ROWS));
	const shown = episodes.filter((episode) => wanted.has(episode));
	const bottom = 10 + ROW * shown.length;
	const area: Area = { width: 1_040, height: bottom + 50, left: LABEL, right: 1_010, top: 10, bottom };
	const x = linearScale([0, Math.max(1, requests)], [area.left, area.right], 8);
	const rows = new Map(shown.map((episode, row) => [episode.id, { episode, y: 10 + ROW * (row + 0.5) }]));
	const drawing = chart(
		area,
		`${shown.length} episodes over ${requests} requests, with what they depend on`,
		horizontalAxis({ scale: x, title: "request", label: String }, area),
		...[...rows.values()].flatMap(({ episode, y }) =>
			episode.dependencies.flatMap((id) => drawCurve(rows.get(id), { episode, y }, x)),
		),
		...[...rows.values()].map((row) => drawBar(row, x)),
	);
	return { drawing, left: episodes.length - shown.length };
}

interface Row {
	readonly episode: EpisodeRow;
	readonly y: number;
}

function drawBar({ episode, y }: Row, x: Scale): Markup {
	const { name, kind, origin, from, to, level, tokens, evictedTokens } = episode;
	const [start, end] = [x.at(from), Math.max(x.at(from) + 4, x.at(to + 1))];
	const left = level === 4 ? 0 : Math.max(0, 1 - evictedTokens / Math.max(1, tokens));
	const box = { x: fix(start), y: fix(y - 6), height: 12, rx: 3 };
	const colour = origin === "inferred" ? "k0" : kind === "act" ? "k2" : "k3";
	const state = level === 4 ? "evicted" : level > 0 ? `stripped to level ${level}` : episode.state;
	const about = [`${kind} ${name}: ${tokens} tokens, ${state}`, episode.description ?? ""];
	return element(
		"g",
		{ class: colour },
		element("title", {}, about.filter((line) => line !== "").join("\n")),
		element("text", { class: "tick", x: LABEL - 10, y: fix(y + 4), "text-anchor": "end" }, shorten(name)),
		element("rect", { class: "bar", ...box, width: fix(end - start) }),
		element("rect", { class: "rest", ...box, width: fix(left * (end - start)) }),
	);
}

function drawCurve(from: Row | undefined, to: Row, x: Scale): readonly Markup[] {
	if (!from) return [];
	const [x1, x2] = [fix(x.at(from.episode.to + 1)), fix(x.at(to.episode.from))];
	const bend = fix(Math.max(14, Math.abs(x2 - x1) / 2));
	const d = `M${x1} ${fix(from.y)}C${fix(x1 + bend)} ${fix(from.y)} ${fix(x2 - bend)} ${fix(to.y)} ${x2} ${fix(to.y)}`;
	return [element("path", { class: "edge", d })];
}

function shorten(name: string): string {
	return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 1)}\u2026`;
}
