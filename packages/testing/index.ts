export {
	echo,
	type ModelMessage,
	type ModelReply,
	type ModelRequest,
	type ScriptedModel,
	scripted,
} from "./model.ts";
export { behaviorOf } from "./model-behavior.ts";
export type { Refusal, Rule } from "./refusal.ts";
export { itemId, reasoningId, signUnbound } from "./seal.ts";
export { countTokens } from "./tokens.ts";
