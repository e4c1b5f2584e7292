/** What people are told of a pass, in one quiet line: what went, how much, and how it comes back. */
import type { Graph } from "../../core/graph.ts";
import type { Pass } from "../../core/log.ts";
import { formatTokens } from "../budget.ts";
import { shorten } from "./columns.ts";

/** Episodes that are named, and columns for each name. */
const NAMED = 2;
const LONGEST_NAME = 32;

/** `show` says a size that we counted as people are told it. */
export function describeMadePass(
	pass: Pass,
	{ episodes }: Pick<Graph, "episodes">,
	show: (tokens: number) => string = formatTokens,
): string {
	const ids = [...new Set(pass.strips.map(({ episode }) => episode))];
	const names = new Map(episodes.map(({ id, name }) => [id, name]));
	const named = ids.slice(0, NAMED).map((id) => shorten(names.get(id) ?? id, LONGEST_NAME));
	const more = ids.length > NAMED ? [`${ids.length - NAMED} more`] : [];
	const from = ids.length === 0 ? "" : ` from ${[...named, ...more].join(", ")}`;
	return `${show(pass.before - pass.after)} tokens evicted${from}; recall reaches all of it, /cwl undo takes the pass back.`;
}
