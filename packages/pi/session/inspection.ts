/** A second look at a session: the whole graph of any list of its messages, without a pass and without side effects. */
import {
	createWholeFold,
	type Pass,
	readLog,
	type ToolTable,
	type View,
	type ViewBuilder,
	type WholeGraph,
} from "#core";
import type { createReader } from "../codec/followed-list.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { createNamedList } from "../codec/named-list.ts";

export interface Inspection {
	readonly graph: WholeGraph;
	readonly view: View;
}

/**
 * Returns a function that reads a list under a log. What it returns is live until the next call. A list and a log that
 * continue the ones before cost time for what is new only, and some 100 ns for each message that was read before.
 */
export function createInspector(read: ReturnType<typeof createReader>, tools: ToolTable) {
	const list = createNamedList(read);
	let fold = createWholeFold(tools);
	let view: ViewBuilder | undefined;
	let seen: readonly Pass[] = [];

	/** Starts over with the messages that are still the same. */
	function keep(length: number) {
		const kept = fold.read().messages.slice(0, length);
		fold = createWholeFold(tools);
		for (const message of kept) fold.append(message);
		list.cut(length);
		view = undefined;
	}

	return (messages: readonly HostMessage[], log: readonly Pass[]): Inspection => {
		const same = list.countSame(messages);
		if (same < list.length()) keep(same);
		const removed = view?.read().removed;
		for (const message of messages.slice(same)) {
			const added = list.append(message);
			fold.append(added);
			// An item that the log speaks of came after the log was read: the accounts of its episode are not in it yet.
			if (added.items.some(({ id }) => removed?.has(id))) view = undefined;
		}
		const graph = fold.read();
		if (!view || !seen.every((pass, index) => pass === log[index])) view = readLog(log, graph);
		else for (const pass of log.slice(seen.length)) view.append(pass);
		seen = [...log];
		return { graph, view: view.read() };
	};
}
