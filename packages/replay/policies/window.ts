/**
 * The sliding window of other programs (`trim_messages` of LangChain with the strategy `last`): it keeps the newest exchanges
 * that fit and nothing before them, not even what a person wrote; a line says that something is missing.
 */
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import type { MessageSizes } from "../recording/recording.ts";
import { defineKind } from "./policy-kind.ts";

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
