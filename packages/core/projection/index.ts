export { type Descriptions, planDescriptions, withDescriptions } from "./descriptions.ts";
export { extract } from "./extract.ts";
export { FADED_IMAGE, fadeText, PLACEHOLDER_AGE } from "./fade-text.ts";
export { markerText, withoutRecall } from "./markers.ts";
export { isPlaceholder, placeholder } from "./placeholder.ts";
export {
	createProjection,
	fadeAges,
	type GrowingProjection,
	type ProjectedPart,
	project,
	sentBy,
	sentPlaces,
} from "./projection.ts";
export { MAX_NAME_LENGTH, nameText, printable, quote, quoteStart, unquote, visibleText } from "./quote.ts";
export { rollUpText } from "./roll-up.ts";
export { showName } from "./show-name.ts";
