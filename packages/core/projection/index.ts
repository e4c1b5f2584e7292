export { FADED_IMAGE, fadeText, isPlaceholder, PLACEHOLDER_AGE, placeholder } from "./fade-text.ts";
export { markerText, withoutRecall } from "./markers.ts";
export { fadeAges, type ProjectedPart, project, sentBy, sentPlaces } from "./projection.ts";
export { extract, rollUpText } from "./roll-up.ts";
