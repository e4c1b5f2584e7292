/** The notice of a pass, in one quiet line: what was evicted, how much, and how it comes back. */
import type { Graph } from "#core/graph";
import { type Pass, touchedEpisodes } from "#core/log";
import { formatTokens } from "../settings/budget.ts";
import { shorten } from "./columns.ts";
import { countOf } from "./count-of.ts";
import { oneLine } from "./one-line.ts";

/** Episodes that are named, and columns for each name. */
const NAMED = 2;
const MAX_NAME_LENGTH = 32;

interface NoticeOptions {
	/** Columns that there are; without it the longest wording is taken. */
	readonly width?: number | undefined;
	/** Says a size that we counted as people are told it. */
	readonly show?: (tokens: number) => string;
}

/** The longest wording that is one line in the columns that there are. */
export function describeMadePass(
	pass: Pass,
	{ episodes }: Pick<Graph, "episodes">,
	{ width = Infinity, show = formatTokens }: NoticeOptions = {},
): string {
	const { strips, fades = [] } = pass;
	const ids = [...touchedEpisodes(pass)];
	const names = new Map(episodes.map(({ id, name }) => [id, name]));
	const named = ids.slice(0, NAMED).map((id) => shorten(names.get(id) ?? id, MAX_NAME_LENGTH));
	const more = ids.length > NAMED ? [`${ids.length - NAMED} more`] : [];
	const by = ids.length === 0 ? "" : ` from ${[...named, ...more].join(", ")}`;
	const count = ids.length === 0 ? "" : ` from ${countOf(ids.length, "episode")}`;
	const freed = `${show(pass.before - pass.after)} tokens`;
	const faded = countOf(fades.length, "output");
	const went =
		fades.length === 0
			? `${freed} evicted`
			: strips.length === 0
				? `${freed} freed, ${faded} faded`
				: `${freed} evicted, ${faded} faded`;
	const wordings = [
		`${went}${by}; recall reaches all of it, /cwl undo takes the pass back.`,
		`${went}${by}; recall reaches it, /cwl undo.`,
		`${went}${count}; recall reaches it, /cwl undo.`,
		`${went}; recall reaches it, /cwl undo.`,
		`${went}, see /cwl.`,
	] as const;
	return oneLine(wordings, width);
}
