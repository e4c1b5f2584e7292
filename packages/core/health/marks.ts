/** How well a model marks its work, and reminders for one whose marks fall behind. Nothing depends on it following them. */

import { MAX_NAME_LENGTH, quoteStart } from "#basics";
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode, Graph } from "../graph/graph.ts";
import { isOversized } from "../planning/evictable.ts";
import { effectOf, isEdit, type ToolTable } from "../transcript/tool-table.ts";
import { sumTokens } from "../transcript/transcript.ts";

/** How well a model marks its work. */
export type Marks = Readonly<NonNullable<ReturnType<typeof measureMarks>>>;

/** Measures the whole session, evicted content included; undefined for one without marks. Linear in its history. */
export function measureMarks(graph: Graph, tools: ToolTable) {
	const marked = graph.episodes.filter(({ origin }) => origin === "declared");
	if (marked.length === 0) return undefined;
	const work = marked.map((episode) => {
		const calls = episode.items.filter((item) => item.type === "call");
		const effects = calls.map((call) => effectOf(tools, call.tool, call.arguments));
		const onlyReads = effects.includes("reads") && !effects.includes("writes");
		return { ...episode, onlyReads, edits: calls.some((call) => isEdit(tools, call)) };
	});
	const acts = work.filter(({ kind }) => kind === "act");
	return {
		episodes: marked.length,
		/** Share of the tokens of all episodes that marked ones hold. */
		share: sumTokens(marked) / Math.max(1, sumTokens(graph.episodes)),
		open: marked.filter(({ state }) => state === "open").length,
		/** Acts that name no expl. */
		actsWithoutDependencies: acts.filter(({ dependencies }) => dependencies.length === 0).length,
		explsThatEdit: work.filter(({ kind, edits }) => kind === "expl" && edits).length,
		/** Closed acts whose calls only read. */
		actsThatOnlyRead: acts.filter(({ state, onlyReads }) => state === "closed" && onlyReads).length,
	};
}

/** Unmarked exchanges in a row after which the model is reminded. */
const UNMARKED_EXCHANGES = 8;
/** The least number of exchanges between two nudges, and between two with the same text. */
const PAUSE = 12;
const LONG_PAUSE = 60;

export interface Nudge {
	readonly text: string;
	/** The number of exchanges before it. */
	readonly exchange: number;
}

/** The line to attach to the next tool result; undefined if none is due. `budget` in tokens. */
export function nudgeFor(
	graph: Graph,
	tools: ToolTable,
	budget: number,
	last: Nudge | undefined,
): Nudge | undefined {
	const exchange = countExchanges(graph, 0);
	const since = last ? exchange - last.exchange : LONG_PAUSE;
	if (since < PAUSE) return undefined;
	const open = graph.episodes.findLast(({ state, origin }) => state === "open" && origin === "declared");
	const text = open ? openNudge(open, graph, tools, budget) : unmarkedNudge(graph);
	if (text === undefined || (text === last?.text && since < LONG_PAUSE)) return undefined;
	return { text, exchange };
}

function openNudge(episode: Episode, { history }: Graph, tools: ToolTable, budget: number) {
	const { kind, items, turn } = episode;
	const handle = quoteStart(episode.name, MAX_NAME_LENGTH);
	const isChange = items.some(
		(item) => item.type === "call" && effectOf(tools, item.tool, item.arguments) === "writes",
	);
	if (isOversized(episode, budget)) {
		return `${kind} ${handle} has grown large: end it${kind === "expl" ? " with what you learned" : ""} and start the next one, together with your next call.`;
	}
	if (kind === "expl" && isChange) {
		return `expl ${handle} changes things: end it with what you learned and start an act that depends on it, together with your next call.`;
	}
	if (kind === "act" && turn < (history.turns.at(-1) ?? 0)) {
		return `act ${handle} is open since before the last message of the user: if it is done, end it together with your next call.`;
	}
	return undefined;
}

function unmarkedNudge(graph: Graph): string | undefined {
	const last = graph.episodes.findLast(({ origin }) => origin === "declared")?.items.at(-1);
	if (countExchanges(graph, last ? last.message + 1 : 0) < UNMARKED_EXCHANGES) return undefined;
	return `this work is not marked: start an episode with ${DELIMITER}, together with your next call.`;
}

/** The number of model messages with calls, from a message on. */
function countExchanges({ messages }: Graph, from: number): number {
	return messages.slice(from).filter(({ items }) => items.some(({ type }) => type === "call")).length;
}
