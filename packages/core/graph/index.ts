export { editDistance, findEpisode } from "./episode-ref.ts";
export { createFold, foldTranscript, type GraphFold } from "./fold.ts";
export {
	componentOf,
	type Episode,
	type EpisodeId,
	type Graph,
} from "./graph.ts";
