/** Messages that are sent in part: user messages that were released lose their middle, tool results fade. */
import type { FadeAge, Release } from "#core/log";
import type { PlanInput } from "#core/planning";
import { FADED_IMAGE, fadeText, PLACEHOLDER_AGE } from "#core/projection";
import { contentText, type HostMessage, type ToolResult } from "./host-message.ts";
import { contentTokens } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

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

/** The content of a result at an age: as many blocks as it has, or one line. A function of the result and the age alone. */
export function fadeContent({ content, toolCallId }: ToolResult, age: FadeAge): ToolResult["content"] {
	const blocks = content.map((block) =>
		block.type === "text" ? block : { type: "text" as const, text: FADED_IMAGE },
	);
	if (age === PLACEHOLDER_AGE)
		return [{ type: "text", text: fadeText(contentText(blocks), age, toolCallId) }];
	return blocks.map((block) =>
		block.text === FADED_IMAGE ? block : { ...block, text: fadeText(block.text, age, toolCallId) },
	);
}

/** Answers the size of a result among these messages at an age, in tokens; undefined for what is no result. */
export function fadedSizes(
	messages: readonly HostMessage[],
	count: CountTokens,
): NonNullable<PlanInput["fadedSize"]> {
	return ({ message: index }, age) => {
		const message = messages[index];
		return message?.role === "toolResult" ? contentTokens(fadeContent(message, age), count) : undefined;
	};
}
