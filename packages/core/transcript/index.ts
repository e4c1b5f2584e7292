export {
	cutText,
	hasOddCharacter,
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
export { distinctFiles, fileKey, findFileNames, findIdentifiers, pathArgument } from "./names.ts";
export {
	effectOf,
	isEdit,
	type NestedCall,
	showsFiles,
	type ToolTable,
	type ToolTraits,
	traitsOf,
} from "./tool-table.ts";
export {
	type Digest,
	digestOf,
	type FileView,
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type TranscriptMessage,
	type UserItem,
} from "./transcript.ts";
