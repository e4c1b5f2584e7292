/** The beginning of a fresh session that continues an old one: its user turns, and a line for each episode. */
import { sum } from "#basics";
import type { Episode, Graph } from "#core/graph";
import { markerText, rollUpText } from "#core/projection";
import {
	customPartsOf,
	type HostMessage,
	OUR_MESSAGES,
	type UserContent,
	userContent,
} from "../codec/host-message.ts";
import { type BranchEntry, customData } from "../custom-entries.ts";

/** The custom message that carries the lines, and the entry with the path of the old session (`file`) and what it `left`. */
export const SOFT_MESSAGE = `${OUR_MESSAGES}earlier`;
export const ORIGIN_ENTRY = "cwl.origin";
/** A user message of an earlier session; not one of our own types, so that no pass takes it. */
export const TURN_MESSAGE = "earlier-turn";

/** The file of the session that a branch continues, undefined for one that began by itself. */
export function originOf(branch: readonly BranchEntry[]): string | undefined {
	const file = customData(branch, ORIGIN_ENTRY)[0]?.file;
	return typeof file === "string" ? file : undefined;
}

/** Older episodes share a line, as many as this in each. */
const GROUP = 8;
/** The share of their lines' size that a shared line may take, with extracts of their descriptions. */
const KEPT_SHARE = 0.7;

/**
 * Plans the beginning of a fresh session: the user turns of the old one, byte for byte, in order, and texts that say what was
 * done, oldest session first. The lines of the episodes total at most `most` tokens, if possible. The words of a checkpoint
 * follow them.
 */
export function planSoftStart(
	messages: readonly HostMessage[],
	graph: Graph,
	count: (text: string) => number,
	most: number,
	checkpoint = "",
): { readonly turns: readonly UserContent[]; readonly indexes: readonly string[] } {
	const turns: UserContent[] = [];
	const earlier: string[] = [];
	for (const message of messages) {
		const turn = userContent(message);
		const { customType, content = "" } = customPartsOf(message) ?? {};
		if (turn !== undefined) turns.push(turn);
		else if (customType === TURN_MESSAGE) turns.push(content);
		else if (customType === SOFT_MESSAGE && typeof content === "string") earlier.push(content);
	}
	const episodes = graph.episodes.filter(({ items }) => items.some(({ type }) => type === "call"));
	if (episodes.length === 0 && checkpoint === "") return { turns, indexes: earlier };
	const lines = [HEAD, ...linesOf(episodes, count, most), ...(checkpoint === "" ? [] : [checkpoint])];
	return { turns, indexes: [...earlier, `<earlier-session>\n${lines.join("\n")}\n</earlier-session>`] };
}

const HEAD =
	"This session goes on from an earlier one. The user turns above are from there, word for word; of the work that " +
	"followed them these lines are left, oldest first:";

/** A line for each of the newest episodes; the older ones share lines as far as the room demands. */
function linesOf(
	episodes: readonly Episode[],
	count: (text: string) => number,
	most: number,
): readonly string[] {
	const single = episodes.map(markerText);
	const size = (lines: readonly string[]) => sum(lines, count);
	let folded: string[] = [];
	let start = 0;
	while (size([...folded, ...single.slice(start)]) > most && start < episodes.length) {
		const group = episodes.slice(start, start + GROUP);
		const own = single.slice(start, start + GROUP);
		folded.push(group.length > 1 ? rollUpText(group, count, KEPT_SHARE * size(own)) : own.join(""));
		start += GROUP;
	}
	if (size(folded) > most && folded.length > 1) folded = [rollUpText(episodes, count, most)];
	return [...folded, ...single.slice(start)];
}
