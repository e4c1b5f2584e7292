export { editDistance, findEpisode } from "./episode-ref.ts";
export { foldTranscript } from "./fold.ts";
export type { Episode, EpisodeId, Graph } from "./graph.ts";
