/** An eviction log, read for the list that the host has now. */
import { createViewFold, type Graph, type Pass, recountEpisodes, type ViewFold } from "#core";

/** The view of a log over a graph that it may not have been written against. */
export function readLog(log: readonly Pass[], graph: Graph): ViewFold {
	const view = createViewFold();
	for (const pass of log) view.append(pass);
	if (log.length > 0) view.restate(recountEpisodes(graph, view.read()));
	return view;
}
