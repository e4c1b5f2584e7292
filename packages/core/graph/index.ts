export { type CompactionClock, createCompactionClock, dropEvicted } from "./drop-evicted.ts";
export { editDistance, findEpisode } from "./episode-ref.ts";
export { recordOf } from "./evicted-episode.ts";
export { createLiveFold, createWholeFold, foldTranscript, type GraphFold, type LiveFold } from "./fold.ts";
export {
	componentOf,
	type Episode,
	type EpisodeId,
	type Extent,
	type Graph,
	type LiveGraph,
	type WholeGraph,
} from "./graph.ts";
