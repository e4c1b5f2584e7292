/** Episodes as the paper's own implementation sees them: runs of messages. */
import { DELIMITER } from "#core/annotation";
import type { Episode, EpisodeId, Graph } from "#core/graph";

export interface Chunk {
	readonly id: EpisodeId;
	readonly kind: Episode["kind"];
	readonly dependencies: readonly EpisodeId[];
	readonly isClosed: boolean;
	/** Indexes of the first message and of the last. */
	readonly from: number;
	readonly to: number;
}

/**
 * From the result of the call that begins an episode to that of the call that ends it; oldest first, none of them
 * reaching into the next.
 */
export function readChunks(graph: Graph): readonly Chunk[] {
	const chunks = graph.episodes
		.filter(({ origin }) => origin === "declared" || !graph.annotated)
		.map((episode) => ({
			id: episode.id,
			kind: episode.kind,
			dependencies: episode.dependencies,
			isClosed: episode.state === "closed",
			...(episode.origin === "declared" ? markedRange(graph, episode) : itemRange(episode)),
		}))
		.toSorted((a, b) => a.from - b.from);
	// A result that came late belongs to an episode that ended long before.
	return chunks.map((chunk, i) => ({
		...chunk,
		to: Math.min(chunk.to, (chunks[i + 1]?.from ?? Infinity) - 1),
	}));
}

function markedRange(graph: Graph, { items }: Episode): Pick<Chunk, "from" | "to"> {
	const marks = items.flatMap((item) =>
		item.type === "call" && item.tool === DELIMITER ? (graph.resultOf.get(item.id) ?? []) : [],
	);
	return { from: marks[0]?.message ?? 0, to: marks.at(-1)?.message ?? 0 };
}

function itemRange({ items }: Episode): Pick<Chunk, "from" | "to"> {
	const messages = items.map(({ message }) => message);
	return { from: Math.min(...messages), to: Math.max(...messages) };
}
