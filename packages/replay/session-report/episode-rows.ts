/** The episodes of a session as its report shows them: when each grew, and how much of it is gone. */
import type { Episode, Graph } from "#core/graph";
import type { StripLevel, View } from "#core/log";
import { isUnmarkedAnswer } from "#pi";

export interface EpisodeRow extends Pick<Episode, "name" | "kind" | "origin" | "state" | "tokens"> {
	readonly id: string;
	/** Ids of the episodes that it declared. */
	readonly dependencies: readonly string[];
	readonly description: string | null;
	/** Requests during which it grew, counted from 0. */
	readonly from: number;
	readonly to: number;
	/** 0 while nothing of it was taken. */
	readonly level: StripLevel | 0;
	readonly evictedTokens: number;
	/** True if a compaction put a summary in its place. */
	readonly isCompacted: boolean;
}

/** `firstKept` is the index of the first message that the last compaction kept. */
export function describeEpisodes(graph: Graph, view: View, firstKept: number): readonly EpisodeRow[] {
	let answers = -1;
	const requests = graph.messages.map(({ author }) => {
		if (author === "model") answers += 1;
		return Math.max(0, answers);
	});
	const requestOf = (message: number | undefined) => requests[message ?? 0] ?? 0;
	const rows = graph.episodes.map((episode): EpisodeRow => {
		const { id, name, kind, origin, state, tokens, dependencies, description, items } = episode;
		const last = items.at(-1)?.message;
		return {
			...{ id, name, kind, origin, state, tokens, dependencies },
			description: description ?? null,
			from: requestOf(items[0]?.message),
			to: requestOf(last),
			level: view.episodes.get(id)?.level ?? 0,
			evictedTokens: view.episodes.get(id)?.removedTokens ?? 0,
			isCompacted: last !== undefined && last < firstKept,
		};
	});
	const unmarked = graph.episodes.filter(isUnmarkedAnswer).map(({ id }) => id);
	return mergeAnswers(rows, new Set(unmarked));
}

/** One row for all unmarked answers, where there are several. */
function mergeAnswers(rows: readonly EpisodeRow[], answers: ReadonlySet<string>): readonly EpisodeRow[] {
	const small = rows.filter(({ id }) => answers.has(id));
	const [first] = small;
	if (!first || small.length < 2) return rows;
	const sum = (of: (row: EpisodeRow) => number) => small.reduce((total, row) => total + of(row), 0);
	const evictedTokens = sum((row) => row.evictedTokens);
	const merged: EpisodeRow = {
		...first,
		name: `${small.length} unmarked answers`,
		tokens: sum((row) => row.tokens),
		description: null,
		to: small.reduce((most, row) => Math.max(most, row.to), 0),
		level: evictedTokens > 0 ? first.level || 1 : 0,
		evictedTokens,
		isCompacted: small.every((row) => row.isCompacted),
	};
	return rows.flatMap((row) => (row === first ? [merged] : answers.has(row.id) ? [] : [row]));
}
