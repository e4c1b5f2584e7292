/** Reads an eviction log for the transcript as it is now, which may have lost messages since the log was written. */
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "./pass.ts";
import { recountEpisodes, recountFades } from "./recount.ts";
import { createViewBuilder, type ViewBuilder } from "./view.ts";

/** The view of a log over a graph that it may not have been written for. Linear in both. */
export function readLog(log: readonly Pass[], graph: Graph): ViewBuilder {
	const view = createViewBuilder();
	for (const pass of log) view.append(pass);
	if (log.length > 0) {
		view.replaceAccounts(recountEpisodes(graph, view.read()), recountFades(graph, view.read()));
	}
	return view;
}
