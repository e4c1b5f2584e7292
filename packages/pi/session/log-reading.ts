/** An eviction log, read for the list that the host has now. */
import { createViewBuilder, type Graph, type Pass, recountEpisodes, type ViewBuilder } from "#core";

/** The view of a log over a graph that it may not have been written against. */
export function readLog(log: readonly Pass[], graph: Graph): ViewBuilder {
	const view = createViewBuilder();
	for (const pass of log) view.append(pass);
	if (log.length > 0) view.replaceAccounts(recountEpisodes(graph, view.read()));
	return view;
}
