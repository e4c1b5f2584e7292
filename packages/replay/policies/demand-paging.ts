/**
 * Demand paging (Pichay, arXiv 2603.09023): outputs that have not been used for some user turns leave, a call that asks for
 * one again is a page fault, and what faulted is pinned: its new copy stays. It runs whatever the budget.
 * Departures: the age and the size below which a page stays are knobs with values of ours; the placeholder tells nothing
 * that helps to ask again; Pichay's third level, compaction that the model starts, needs a model.
 */
import type { HostMessage } from "#pi";
import { sum } from "../recording/recording.ts";
import { defineKind } from "./knobs.ts";
import { omitOutput } from "./shortened-output.ts";

/** `age`: user turns after which a page leaves. `least`: tokens of the smallest page. */
export const demandPaging = defineKind("demand-paging", { age: 4, least: 150 }, (name, { age, least }) => ({
	name,
	exempt: ["identity", "prefix"],
	open({ sizes }) {
		const pages = createPages();
		const paged = new Map<HostMessage, HostMessage>();
		return (history) => {
			pages.read(history);
			for (const { output, turn, key } of pages.list()) {
				const isDue = pages.turn() - turn >= age && sum(sizes(output)) >= least;
				if (isDue && !pages.isPinned(key) && !paged.has(output)) {
					paged.set(output, omitOutput(output));
					pages.evict(key);
				}
			}
			const messages = history.map((message) => paged.get(message) ?? message);
			return { messages, pass: undefined };
		};
	},
}));

type Result = HostMessage & { readonly role: "toolResult" };

interface Page {
	readonly output: Result;
	/** User turns before it came. */
	readonly turn: number;
	/** The call that shows it, without its id. */
	readonly key: string;
}

/** The pages of a session, and which of them were asked for again after they had left. */
function createPages() {
	const pages: Page[] = [];
	const keys = new Map<string, string>();
	const evicted = new Set<string>();
	const pinned = new Set<string>();
	let [seen, turn] = [0, 0];
	return {
		read(history: readonly HostMessage[]) {
			for (const message of history.slice(seen)) {
				if (message.role === "user") turn += 1;
				if (message.role === "toolResult") {
					pages.push({ output: message, turn, key: keys.get(message.toolCallId) ?? message.toolCallId });
				}
				if (message.role !== "assistant") continue;
				for (const block of message.content) {
					if (block.type !== "toolCall") continue;
					const key = `${block.name} ${JSON.stringify(block.arguments)}`;
					keys.set(block.id, key);
					if (evicted.has(key)) pinned.add(key);
				}
			}
			seen = history.length;
		},
		list: (): readonly Page[] => pages,
		turn: () => turn,
		isPinned: (key: string) => pinned.has(key),
		evict: (key: string) => evicted.add(key),
	};
}
