/** A second look at a session: the whole graph of any list of its messages, without a pass and without side effects. */
import { createWholeFold, type WholeGraph } from "#core/graph";
import { isLogged, type Pass, readLog, type View, type ViewBuilder } from "#core/log";
import { createProjection, type GrowingProjection, type ProjectedPart } from "#core/projection";
import type { ItemId, ToolTable } from "#core/transcript";
import { createNamedList, type createReader } from "../codec/followed-list.ts";
import type { HostMessage } from "../codec/host-message.ts";

export interface Inspection {
	readonly graph: WholeGraph;
	readonly view: View;
	/** The outputs that were shortened when they arrived; absent if nobody shortens them. */
	readonly shortened?: ReadonlySet<ItemId>;
}

/** The returned value is live until the next call. */
export interface Inspector {
	/** The graph of a list, and the view of a log over it. */
	inspect(messages: readonly HostMessage[], log: readonly Pass[]): Inspection;
	/** The parts of a list that are sent under a log. */
	project(messages: readonly HostMessage[], log: readonly Pass[]): readonly ProjectedPart[];
}

/**
 * An inspector keeps what it has read: a list and a log that continue the ones before cost time for what is new only,
 * and some 100 ns for each message that was read before. The projection also begins anew with each pass.
 */
export function createInspector(read: ReturnType<typeof createReader>, tools: ToolTable): Inspector {
	const list = createNamedList(read);
	let fold = createWholeFold(tools);
	let view: ViewBuilder | undefined;
	let seen: readonly Pass[] = [];
	/** Of the list under the view; undefined after a change of what it began with. */
	let projection: GrowingProjection | undefined;

	/** Starts over with the messages that are still the same. */
	function keep(length: number) {
		const kept = fold.read().messages.slice(0, length);
		fold = createWholeFold(tools);
		for (const message of kept) fold.append(message);
		list.cut(length);
		view = undefined;
	}

	function readList(messages: readonly HostMessage[]) {
		const same = list.countSame(messages);
		if (same < list.length()) keep(same);
		const logged = view?.read();
		for (const message of messages.slice(same)) {
			const added = list.append(message);
			fold.append(added);
			// What the log speaks of came after the log was read: the accounts of its episode are not in it yet. A result
			// counts with its call, because it may end the episode.
			const { callOf } = fold.read();
			if (logged && added.items.some(({ id }) => isLogged(logged, callOf.get(id) ?? id))) view = undefined;
		}
	}

	function viewOf(graph: WholeGraph, log: readonly Pass[]): View {
		const continues = view !== undefined && seen.every((pass, index) => pass === log[index]);
		if (!view || !continues || log.length > seen.length) projection = undefined;
		if (!view || !continues) view = readLog(log, graph);
		else for (const pass of log.slice(seen.length)) view.append(pass);
		seen = [...log];
		return view.read();
	}

	function inspect(messages: readonly HostMessage[], log: readonly Pass[]): Inspection {
		readList(messages);
		const graph = fold.read();
		return { graph, view: viewOf(graph, log) };
	}

	return {
		inspect,
		project(messages, log) {
			const { graph, view } = inspect(messages, log);
			projection ??= createProjection(view);
			return projection.extend(graph);
		},
	};
}
