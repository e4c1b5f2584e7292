export { markerText, withoutRecall, withRecallIf } from "./episode-lines.ts";
export { formsOf, type ProjectedPart, project, sentBy } from "./projection.ts";
export { ONE_LINE, REDUCED_IMAGE, readPlaceholder, reducedText } from "./reduced-text.ts";
export { extract, rollUpText } from "./roll-up.ts";
