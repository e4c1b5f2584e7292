/** A tool's result at lower detail, as core's `fadeText` shows it: images give way to a word. */
import type { FadeAge } from "#core/log";
import type { PlanInput } from "#core/planning";
import { FADED_IMAGE, fadeText, PLACEHOLDER_AGE } from "#core/projection";
import type { HostMessage, ToolResult } from "./host-message.ts";
import { contentText, contentTokens } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

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

/** The result as a request sends it at an age. */
export function fadeResult(result: ToolResult, age: FadeAge): ToolResult {
	return { ...result, content: fadeContent(result, age) };
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
