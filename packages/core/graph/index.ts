export { editDistance, findEpisode } from "./episode-ref.ts";
export { foldTranscript } from "./fold.ts";
export {
	componentOf,
	type Episode,
	type EpisodeComponent,
	type EpisodeId,
	type Graph,
	itemIn,
} from "./graph.ts";
