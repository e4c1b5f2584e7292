export { adaptToApi, isWhole } from "./adapt-to-api.ts";
export { digestArguments, digestOutput } from "./digest.ts";
export {
	contentText,
	customPartsOf,
	failureOf,
	type HostMessage,
	inputTokens,
	isAnswer,
	isRefused,
	lastAnswer,
	OUR_MESSAGES,
	outputText,
	RECALL_MESSAGE,
	resultPartsOf,
	takeHead,
	toolCallsOf,
	totalUsage,
	userContent,
} from "./host-message.ts";
export { argumentText, itemTexts, stringsOf } from "./item-content.ts";
export { countedTexts, messageKey, readMessage } from "./messages.ts";
export { locate } from "./named-files.ts";
export { cutMessage, fadeContent } from "./partial-messages.ts";
export { isSentAs } from "./rendering.ts";
export { soundMessage } from "./repair-message.ts";
export { explainThinkingRefusal, readInvalidThinking } from "./thinking-reports.ts";
export { type CountTokens, loadTokenCounter, TOOL_FRAMING } from "./tokens.ts";
