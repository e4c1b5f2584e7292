/** Messages that are sent in part: user messages that were released lose their middle, tool results are reduced. */
import type { CountTokens } from "#basics";
import type { Form, Release } from "#core/log";
import type { PlanInput } from "#core/planning";
import { ONE_LINE, REDUCED_IMAGE, reducedText } from "#core/projection";
import { contentText, type HostMessage, type ToolResult } from "./host-message.ts";
import { contentTokens } from "./messages.ts";

type Cut = Omit<Release, "tokens">;

/** The message as it is sent after a release: its longest text without the middle. */
export function cutMessage(message: HostMessage, release: Cut): HostMessage {
	const text = longText(message);
	if (text === undefined || text.length <= release.head + release.tail) return message;
	const cut = cutText(text, release);
	if (message.role === "bashExecution") return { ...message, output: cut };
	if (message.role !== "user" && message.role !== "custom") return message;
	if (typeof message.content === "string") return { ...message, content: cut };
	const longest = message.content.findIndex((block) => block.type === "text" && block.text === text);
	const content = message.content.map((block, index) =>
		block.type === "text" && index === longest ? { ...block, text: cut } : block,
	);
	return { ...message, content };
}

/** A text without its middle, a mark in its place. */
export function cutText(text: string, { head, tail, mark }: Cut): string {
	return `${text.slice(0, head)}\n${mark}\n${text.slice(text.length - tail)}`;
}

/** The longest text that a user message holds, or the output of a user's command; undefined for other messages. */
export function longText(message: HostMessage): string | undefined {
	if (message.role === "bashExecution") return message.output;
	if (message.role !== "user" && message.role !== "custom") return undefined;
	if (typeof message.content === "string") return message.content;
	const texts = message.content.map((block) => (block.type === "text" ? block.text : ""));
	return texts.toSorted((a, b) => b.length - a.length)[0];
}

/** The content of a result in a form: as many blocks as it has, or one line. A function of the result and the form alone. */
export function contentInForm({ content, toolCallId }: ToolResult, form: Form): ToolResult["content"] {
	const blocks = content.map((block) =>
		block.type === "text" ? block : { type: "text" as const, text: REDUCED_IMAGE },
	);
	if (form === ONE_LINE) return [{ type: "text", text: reducedText(contentText(blocks), form, toolCallId) }];
	return blocks.map((block) =>
		block.text === REDUCED_IMAGE ? block : { ...block, text: reducedText(block.text, form, toolCallId) },
	);
}

/** Answers the size of a result among these messages in a form, in tokens; undefined for what is no result. */
export function reducedSizes(
	messages: readonly HostMessage[],
	count: CountTokens,
): NonNullable<PlanInput["reducedSize"]> {
	return ({ message: index }, form) => {
		const message = messages[index];
		return message?.role === "toolResult" ? contentTokens(contentInForm(message, form), count) : undefined;
	};
}
