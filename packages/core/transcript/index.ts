export {
	cutText,
	MAX_NAME_LENGTH,
	nameText,
	printable,
	quote,
	quoteStart,
	showName,
	unquote,
	visibleText,
} from "#basics";
export { findingsIn } from "./findings.ts";
export { type LabelledLine, splitLabelled } from "./labelled-lines.ts";
export * from "./names.ts";
export * from "./tool-table.ts";
export * from "./transcript.ts";
