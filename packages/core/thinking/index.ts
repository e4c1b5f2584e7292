export { firstChange } from "./first-change.ts";
export {
	forfeitThinking,
	isPrefixChange,
	keepThinkingValid,
	PREFIX_CHANGED,
	planChangeAt,
	planPrefixChange,
	thinkingOnly,
} from "./forfeit.ts";
