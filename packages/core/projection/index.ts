export { markerText, withoutRecall, withRecallIf } from "./episode-lines.ts";
export { FADED_IMAGE, fadeText, PLACEHOLDER_AGE, readPlaceholder } from "./fade-text.ts";
export { fadeAges, type ProjectedPart, project, sentBy } from "./projection.ts";
export { extract, rollUpText } from "./roll-up.ts";
