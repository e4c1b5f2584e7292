/** The episode graph in time: a bar for each episode, a curve from what an act builds on to the act. */
import { countOf } from "#pi";
import type { EpisodeRow } from "../session-report/episode-rows.ts";
import type { SessionReport } from "../session-report/session-report.ts";
import { type DataSet, drawChart, figure, type Point } from "./chart.ts";
import { drawKey } from "./legend.ts";
import type { Markup } from "./markup.ts";
import { section } from "./section.ts";

/** More rows cannot be read: the largest episodes are shown. */
const MAX_ROWS = 60;
/** Pixels of a row, and of the axis. */
const [ROW, FOOT] = [20, 60];

const KINDS = [
	{
		name: "exploration (expl)",
		color: 3,
		of: ({ kind, origin }: EpisodeRow) => origin !== "inferred" && kind !== "act",
	},
	{
		name: "action (act)",
		color: 2,
		of: ({ kind, origin }: EpisodeRow) => origin !== "inferred" && kind === "act",
	},
	{ name: "inferred", color: 0, of: ({ origin }: EpisodeRow) => origin === "inferred" },
];

export function drawEpisodes({ episodes, requests }: SessionReport): readonly Markup[] {
	if (episodes.length === 0) return [];
	const wanted = new Set(episodes.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_ROWS));
	const shown = episodes.filter((episode) => wanted.has(episode));
	const rowOf = new Map(shown.map(({ id }, row) => [id, row]));
	const links = shown.flatMap(({ dependencies }, to) =>
		dependencies.flatMap((id) => {
			const from = rowOf.get(id);
			return from === undefined ? [] : [[from, to] as const];
		}),
	);
	const whole: DataSet = {
		name: "outline",
		style: "outline",
		color: "ink",
		data: shown.map((row, i) => barOf(row, i, 1)),
	};
	const kinds = KINDS.flatMap(({ name, color, of }): readonly DataSet[] => {
		const data = shown.flatMap((row, i) => (of(row) ? [barOf(row, i, shareLeft(row))] : []));
		return data.length > 0 ? [{ name, style: "bar", color, data }] : [];
	});
	const left = episodes.length - shown.length;
	const more =
		left === 0 ? "" : left === 1 ? " A small one is left out." : ` ${left} small ones are left out.`;
	return section(
		"Episodes",
		`Each bar is an episode from its first request to its last, filled as far as it is still in the context. Curves lead from exploration to the action that builds on it.${more}`,
		...figure([
			drawKey(kinds.map(({ name, color }) => ({ name, color, sample: "area" }))),
			drawChart({
				summary: `${countOf(shown.length, "episode")} over ${countOf(requests.length, "request")}, with what they depend on`,
				...{ hover: "point", links, height: FOOT + ROW * shown.length },
				x: { title: "request", unit: "request" },
				y: { title: "episode", unit: "plain", names: shown.map(({ name }) => name) },
				sets: [whole, ...kinds],
			}),
		]),
	);
}

function barOf(row: EpisodeRow, index: number, share: number): Point {
	const { name, kind, from, to, tokens, description } = row;
	const end = from + share * Math.max(0.5, to + 1 - from);
	const hint = [`${name} (${kind}): ${tokens} tokens, ${stateOf(row)}`, description ?? ""];
	return [[from, end], index, hint.filter((line) => line !== "").join("\n")];
}

function shareLeft({ level, isCompacted, tokens, evictedTokens }: EpisodeRow): number {
	return level === 4 || isCompacted ? 0 : Math.max(0, 1 - evictedTokens / Math.max(1, tokens));
}

function stateOf({ level, isCompacted, state }: EpisodeRow): string {
	if (level === 4) return "evicted";
	if (isCompacted) return "replaced by the summary of a compaction";
	return level > 0 ? `stripped to level ${level}` : state;
}
