/**
 * The order of turns that some APIs ask for. Gemini takes a turn with calls right after a turn of the user or of tools only,
 * never after the model's own words ("Please ensure that function call turn comes immediately after a user turn or
 * after a function response turn"); Bedrock Converse, Mistral and strict servers of chat completions want roles to alternate.
 * Where calls and their results left, words of the model may stand before its next answer: they become one turn.
 */
import {
	type Answer,
	type HostMessage,
	hasFailed,
	isSigned,
	modelName,
	toolCallsOf,
} from "./host-message.ts";

type Block = Answer["content"][number];

const ALTERNATING = /^(?:google|bedrock-converse|mistral|openai-completions)/;
const COMPLETIONS = "openai-completions";

/**
 * The messages without the thinking that another model has signed. Newer versions of pi leave it out themselves; older ones would send
 * its words as part of an answer.
 */
export function withoutOthersThinking(messages: readonly HostMessage[], model: string): HostMessage[] {
	return messages.map((message) => {
		if (message.role !== "assistant" || modelName(message) === model) return message;
		const content = message.content.filter((block) => block.type !== "thinking" || !isSigned(block));
		return content.length === message.content.length ? message : { ...message, content };
	});
}

/** Returns true if a request is the history as it is. */
export function isWhole(messages: readonly HostMessage[], history: readonly HostMessage[]): boolean {
	return messages.length === history.length && messages.every((message, i) => message === history[i]);
}

/**
 * The messages of a request as they can be sent to a model behind this API: as they are for any other API, and where
 * nothing has left the history.
 */
export function adaptToApi(
	api: string | undefined,
	messages: readonly HostMessage[],
	history: readonly HostMessage[],
): HostMessage[] {
	if (isWhole(messages, history) || !ALTERNATING.test(api ?? "")) return [...messages];
	const suited: HostMessage[] = [];
	/** The place of the last message that will be a turn. */
	let last = -1;
	for (const message of messages) {
		const before = suited[last];
		if (
			before?.role === "assistant" &&
			// Calls that have no results are given some by pi: what comes after them does not come after words.
			toolCallsOf(before).length === 0 &&
			message.role === "assistant" &&
			isTurn(message)
		) {
			// In the later place: results come right after it.
			suited.splice(last, 1);
			suited.push(join(api === COMPLETIONS ? withBreak(before) : before, message));
		} else suited.push(message);
		if (isTurn(message)) last = suited.length - 1;
	}
	return suited;
}

/** pi leaves out answers that failed or say nothing. */
function isTurn(message: HostMessage): boolean {
	if (message.role === "bashExecution") return message.excludeFromContext !== true;
	if (message.role !== "assistant") return true;
	if (hasFailed(message)) return false;
	return message.content.some((block) => {
		if (block.type === "toolCall") return true;
		return (block.type === "text" ? block.text : block.thinking).trim() !== "";
	});
}

/** One message with the blocks of both, as the second one's model wrote it. */
function join(first: Answer, second: Answer): Answer {
	const isSame = first.provider === second.provider && first.model === second.model;
	const words = isSame ? first.content : first.content.flatMap(unsigned);
	return { ...second, content: [...words, ...second.content] };
}

/** The message with a line break behind it: pi sends all texts of an answer as one. */
function withBreak(message: Answer): Answer {
	const last = message.content.at(-1);
	if (last?.type !== "text") return message;
	return { ...message, content: [...message.content.slice(0, -1), { ...last, text: `${last.text}\n\n` }] };
}

/** A block without signatures, which hold for their own model only. */
function unsigned(block: Block): readonly Block[] {
	if (block.type === "text") return [{ type: "text", text: block.text }];
	if (block.type === "thinking") return block.redacted ? [] : [{ type: "text", text: block.thinking }];
	return [block];
}
