/** The text that some policies leave in place of an output or of arguments: a placeholder, or a part of it. */
import { placeholder } from "#core/projection";
import type { HostMessage } from "#pi";

type ResultMessage = HostMessage & { readonly role: "toolResult" };

const content: ResultMessage["content"] = [{ type: "text", text: placeholder("omitted") }];
const shortened = new WeakSet<HostMessage>();

/** The result of the same call with nothing but a placeholder in it. */
export function omitOutput(result: ResultMessage): ResultMessage {
	return { ...result, content };
}

export function isOmitted(message: HostMessage): boolean {
	return message.role === "toolResult" && message.content === content;
}

/** The result of the same call with less text in it. */
export function shortenOutput(result: ResultMessage, text: string): ResultMessage {
	const part: ResultMessage = { ...result, content: [{ type: "text", text }] };
	shortened.add(part);
	return part;
}

export function isShortened(message: HostMessage): boolean {
	return shortened.has(message);
}

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];
export type Call = Block & { readonly type: "toolCall" };

/** Arguments in characters that stay, such as a path. */
const MAX_KEPT_LENGTH = 200;
const shortenedCalls = new WeakSet<Block>();

/** The call without its long arguments. */
export function omitLongArguments(call: Call): Call {
	const args = Object.entries(call.arguments).map(([key, value]) => {
		return [key, typeof value === "string" && value.length > MAX_KEPT_LENGTH ? "[input omitted]" : value];
	});
	const part: Call = { ...call, arguments: Object.fromEntries(args) };
	shortenedCalls.add(part);
	return part;
}

export function isShortenedCall(block: Block): boolean {
	return shortenedCalls.has(block);
}
