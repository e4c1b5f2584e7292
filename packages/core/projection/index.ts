export { FADED_IMAGE, fadeText, PLACEHOLDER_AGE } from "./fade-text.ts";
export { markerText, withoutRecall } from "./markers.ts";
export { placeholderText, readPlaceholder } from "./placeholder.ts";
export { fadeAges, type ProjectedPart, project, sentBy, sentPlaces } from "./projection.ts";
export { extract, rollUpText } from "./roll-up.ts";
