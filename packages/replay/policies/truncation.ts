/**
 * Truncation: the oldest exchanges leave first, whole. `recency` keeps user turns and the prologue, as the engine's rules
 * demand, and stops as soon as the budget is met, which is what sliding windows do (trimming of history in OpenAI's
 * Agents SDK cookbook, `trim_messages` of LangChain). `window` keeps the newest exchanges that fit and nothing before
 * them, not even what a person wrote; a line says that something is missing (`trim_messages` with the strategy `last`).
 */
import type { Graph } from "#core/graph";
import { tokensWithResults, totalTokens } from "#core/ledger";
import { type IsRemoved, removedBy, type Strip } from "#core/log";
import { evictableIn, makePass, type Policy } from "#core/planning";
import type { Item } from "#core/transcript";
import type { HostMessage } from "#pi/codec";
import { type MessageSizes, sum } from "../recording/recording.ts";
import { enginePolicy } from "./engine.ts";
import { defineKind } from "./knobs.ts";

/** `low`: the share of the budget that a pass goes down to. */
export const recency = defineKind("recency", { low: 1 }, (name, { low }) =>
	enginePolicy(name, () => createRecency(name, low)),
);

function createRecency(name: string, lowWater: number): Policy {
	return {
		name,
		plan(input) {
			const { graph, view, fixed, budget } = input;
			const before = totalTokens(graph, view, fixed);
			if (before <= budget) return undefined;
			const gone = removedBy(graph, (id) => view.removed.has(id));
			const taken: Item[] = [];
			let total = before;
			for (const items of exchanges(graph, gone)) {
				if (total <= lowWater * budget) break;
				taken.push(...items);
				total -= tokensWithResults(graph, items);
			}
			return makePass(name, input, before, total, stripsOf(graph, taken, gone));
		},
	};
}

/**
 * The evictable items of each message, oldest first. A call stands for its result, so results leave with their calls.
 */
function* exchanges(graph: Graph, gone: IsRemoved): Generator<readonly Item[]> {
	const prologue = new Set(graph.prologue);
	const isEvictable = evictableIn(graph);
	for (const { items } of graph.messages.slice(0, Math.max(0, graph.lastExchange))) {
		const left = items.filter((item) => item.type !== "user" && !prologue.has(item) && !gone(item));
		// The reasoning of an answer goes with the last of it.
		const isPart = left.some((item) => !isEvictable(item));
		const leaving = left.filter((item) => {
			if (!isEvictable(item) || (item.type === "reasoning" && isPart)) return false;
			return item.type !== "result" || !graph.callOf.has(item.id);
		});
		if (leaving.length > 0) yield leaving;
	}
}

/** One strip for each episode that something was taken from; level 4 once nothing of it is left. */
function stripsOf(graph: Graph, taken: readonly Item[], gone: IsRemoved): readonly Strip[] {
	const takenIds = new Set(taken.map(({ id }) => id));
	const isTaken = removedBy(graph, (id) => takenIds.has(id));
	const strips: Strip[] = [];
	for (const episode of graph.episodes) {
		const items = episode.items.filter(({ id }) => takenIds.has(id));
		if (items.length === 0) continue;
		const isEmpty = episode.items.every((item) => gone(item) || isTaken(item));
		const tokens = tokensWithResults(graph, items);
		strips.push({ episode: episode.id, level: isEmpty ? 4 : 3, items: items.map(({ id }) => id), tokens });
	}
	return strips;
}

const GAP: HostMessage = { role: "user", content: "[Earlier messages were removed.]", timestamp: 0 };

export const slidingWindow = defineKind("window", {}, (name) => ({
	name,
	exempt: ["user-turns", "prologue", "order", "prefix"],
	open({ sizes, budget, fixed }) {
		const room = budget - fixed.system - fixed.tools;
		return (history) => {
			const isWhole = sum(history.map((message) => sum(sizes(message)))) <= room;
			const from = isWhole ? 0 : findStart(history, room - sum(sizes(GAP)), sizes);
			const messages = from === 0 ? history : [GAP, ...history.slice(from)];
			return { messages, pass: undefined };
		};
	},
}));

/** Where the window begins: never between a call and its result, and never behind the last reply. */
function findStart(history: readonly HostMessage[], room: number, sizes: MessageSizes): number {
	const last = history.findLastIndex(({ role }) => role === "assistant" || role === "user");
	let start = Math.max(0, last);
	let used = 0;
	for (let index = history.length - 1; index >= 0; index -= 1) {
		const message = history[index];
		if (!message) break;
		used += sum(sizes(message));
		if (used > room) break;
		if (message.role !== "toolResult") start = Math.min(start, index);
	}
	return start;
}
