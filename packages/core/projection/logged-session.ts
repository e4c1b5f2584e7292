/** The messages of one session under one eviction log: what the log took, and what the next request sends. */
import { createFold } from "../graph/fold.ts";
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import { readLog } from "../log/read-log.ts";
import { createViewBuilder, isLogged, type View } from "../log/view.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";
import { createProjection } from "./projection.ts";

/** Begins an empty session with an empty log. Its graph, view and parts are live: later calls extend them in place. */
export function createLoggedSession(tools: ToolTable) {
	let fold = createFold(tools);
	let log: readonly Pass[] = [];
	/** Messages since the view was last read. */
	let unread: TranscriptMessage[] = [];
	let view = createViewBuilder();
	let projection = createProjection(view.read());

	/** True while the list does not hold the newest item of the last pass: it ends before, or a compaction dropped it. */
	let lacksNewest = false;

	function rebuildView() {
		unread = [];
		const newest = log.at(-1)?.newest;
		lacksNewest =
			newest !== undefined &&
			!fold.read().messages.some(({ items }) => items.some(({ id }) => id === newest));
		view = readLog(log, fold.read());
		projection = createProjection(view.read());
	}

	/** After a load or a change of branch the log may speak of new messages: the accounts of its episodes are then read again. */
	function currentView(): View {
		if (unread.length === 0) return view.read();
		const { callOf } = fold.read();
		// A result counts with its call, because it may end the episode.
		const isKnown = ({ items }: TranscriptMessage) =>
			items.some(({ id }) => isLogged(view.read(), callOf.get(id) ?? id));
		if (lacksNewest || unread.some(isKnown)) rebuildView();
		unread = [];
		return view.read();
	}

	return {
		/** Takes the next messages. Linear in them, not in the history. */
		append(messages: readonly TranscriptMessage[]) {
			for (const message of messages) fold.append(message);
			if (log.length > 0) unread.push(...messages);
		},
		/** Starts over with other messages under the same log, as after a change of branch. */
		replace(messages: readonly TranscriptMessage[]) {
			fold = createFold(tools);
			for (const message of messages) fold.append(message);
			rebuildView();
		},
		/** Appends a pass to the log. */
		commit(pass: Pass) {
			currentView();
			log = [...log, pass];
			// A note that came after the pass may have the name of one that the pass took.
			if (pass.newest !== fold.read().history.newest) return rebuildView();
			lacksNewest = false;
			view.append(pass);
			projection = createProjection(view.read());
		},
		/** Replaces the log. */
		restore(entries: readonly Pass[]) {
			log = entries;
			rebuildView();
		},
		graph: (): Graph => fold.read(),
		view: currentView,
		log: () => log,
		/** The parts that the next request sends, in order. Between two passes the list only grows at its end, and is the same object. */
		parts() {
			currentView();
			return projection(fold.read());
		},
	};
}
