/**
 * Fully evicted parts of the graph give way to records (paper 5), so that what a pass looks through is what a request
 * still sends, and what is held is a record an episode.
 */

import { type Pass, touchedEpisodes } from "../log/pass.ts";
import { indexLineAnchors, type View } from "../log/view.ts";
import type { LiveFold } from "./fold.ts";
import type { Episode, Graph } from "./graph.ts";
import { isLoopStart } from "./loop-start.ts";

/** Episodes that a compaction may look through for each one of which a pass took something since the last compaction. */
const LOOKED_THROUGH = 8;

/** Decides when evicted episodes are let go of: that looks at every episode, so it waits until enough of them have changed. */
export interface CompactionClock {
	/** Notes a pass. */
	note(pass: Pass): void;
	/** Returns true if it is time; the next time is then counted from here on. */
	isDue(graph: Pick<Graph, "episodes">): boolean;
}

export function createCompactionClock(): CompactionClock {
	let changed = 0;
	return {
		note(pass) {
			const regrouped = pass.folds?.reduce((sum, { episodes }) => sum + episodes.length, 0) ?? 0;
			changed += touchedEpisodes(pass).size + regrouped;
		},
		isDue({ episodes }) {
			if (LOOKED_THROUGH * changed < episodes.length) return false;
			changed = 0;
			return true;
		},
	};
}

/** Let go of all that a view has left nothing of. Every pass to come must be planned under it, or one that goes on from it. */
export function dropEvicted(fold: LiveFold, view: View): void {
	const graph = fold.read();
	const isSpent = spentUnder(graph, view);
	// An exchange that still awaits results may hold one that belongs to an episode which was evicted before.
	const settled = new Set(graph.episodes.filter(isSpent).map(({ id }) => id));
	if (settled.size === 0) return;
	fold.compact((episode) => settled.has(episode.id) && isSpent(episode));
}

/**
 * Returns a test: true if nothing depends on an episode any more, no item, no line, no act that it would hold back. The
 * first episode is kept because a line of the episode index will stand there, the last one that the model marked because it
 * tells how long the model has not marked any, and the beginning of the tool loop in progress as long as the loop is
 * open.
 */
function spentUnder(graph: Graph, view: View): (episode: Episode) => boolean {
	const anchors = indexLineAnchors(view);
	const lastMarked = graph.episodes.findLast(({ origin }) => origin === "declared")?.id;
	return (episode) => {
		const { id, place, state, tokens, dependencies, items } = episode;
		const account = view.episodes.get(id);
		if (place === 0 || state === "open" || id === lastMarked) return false;
		if (account?.removedTokens !== tokens || account.marker) return false;
		if (items.some(({ id, message }) => anchors.has(id) || isLoopStart(graph, message))) return false;
		return account.level === 4 || dependencies.length === 0;
	};
}
