export { editDistance, findEpisode } from "./episode-ref.ts";
export { foldTranscript } from "./fold.ts";
export { type Episode, type EpisodeId, type Graph, itemIn } from "./graph.ts";
