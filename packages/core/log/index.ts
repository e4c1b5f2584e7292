export type { Blocker } from "./blocker.ts";
export {
	changesContext,
	type Fade,
	type FadeAge,
	type IndexLine,
	type Marker,
	type Pass,
	type Release,
	type Strip,
	type StripLevel,
	touchedEpisodes,
} from "./pass.ts";
export { readLog } from "./read-log.ts";
export { recountLines } from "./recount-lines.ts";
export { createViewBuilder, isLogged, type View, type ViewBuilder, viewAfter, viewOfLog } from "./view.ts";
export { type IsRemoved, removedBy } from "./whole-calls.ts";
