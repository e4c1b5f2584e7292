import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { canonicalText } from "./canonical-text.ts";
import type { Part, SealedFormat, ThinkingPart } from "./conversation.ts";

/** A string stands for one text block; an empty one for no block. */
function blocksOf(content: unknown): readonly Fields[] {
	if (typeof content !== "string") return objectsOf(content);
	return content === "" ? [] : [{ type: "text", text: content }];
}

/** A block as it is compared: without cache markers, nested content as blocks, `is_error` only when set. */
function comparable(block: Fields): Fields {
	const { cache_control: _marker, ...rest } = block;
	if (block.type !== "tool_result") return rest;
	const { is_error: isError, content, ...result } = rest;
	return {
		...result,
		content: blocksOf(content).map(comparable),
		...(isError === true ? { is_error: true } : {}),
	};
}

function isThinking({ type }: Fields): boolean {
	return type === "thinking" || type === "redacted_thinking";
}

function thinkingPart(block: Fields, message: number, at: number): ThinkingPart {
	const redacted = block.type === "redacted_thinking";
	return {
		type: "thinking",
		message,
		block: at,
		path: `messages.${message}.content.${at}`,
		signature: stringOf(redacted ? block.data : block.signature),
		text: stringOf(block.thinking),
	};
}

/** Names of the tools that a block refers to, which makes a deferred tool part of the conversation. */
function referencedTools(block: Fields): readonly string[] {
	if (block.type === "tool_use") return [stringOf(block.name)];
	if (block.type === "tool_reference") return [stringOf(block.tool_name)];
	if (block.type === "tool_addition" || block.type === "tool_removal") {
		return [stringOf(fieldsOf(block.tool).name)];
	}
	return block.type === "tool_result" ? blocksOf(block.content).flatMap(referencedTools) : [];
}

function content(value: unknown): Part {
	return { type: "content", content: canonicalText(value) };
}

/** System prompt and tools. A deferred tool without a reference is not compared. */
function headPart(body: Fields): Part {
	const tools = objectsOf(body.tools).filter((tool) => tool.defer_loading !== true);
	return content({ system: blocksOf(body.system).map(comparable), tools: tools.map(comparable) });
}

function deferredTools(body: Fields): ReadonlyMap<string, Fields> {
	const deferred = objectsOf(body.tools).filter((tool) => tool.defer_loading === true);
	return new Map(deferred.map((tool) => [stringOf(tool.name), comparable(tool)]));
}

/** Per-message effort is not compared; that the message is there, is. */
function envelope({ role, clear_at: clearAt }: Fields): Part {
	return content({ role, clear_at: clearAt ?? undefined });
}

/** The envelope stands before the first block that is compared, so a message of thinking alone counts as absent. */
function messageParts(
	message: Fields,
	index: number,
	deferred: ReadonlyMap<string, Fields>,
): readonly Part[] {
	const blocks = blocksOf(message.content);
	if (blocks.length === 0) return message.role === "assistant" ? [] : [envelope(message)];
	let hasEnvelope = false;
	return blocks.flatMap((block, at): readonly Part[] => {
		if (isThinking(block)) return [thinkingPart(block, index, at)];
		const before = hasEnvelope ? [] : [envelope(message)];
		hasEnvelope = true;
		const tools = referencedTools(block).flatMap((name) => deferred.get(name) ?? []);
		return [...before, content(comparable(block)), ...tools.map(content)];
	});
}

function parts(body: Fields): readonly Part[] {
	const deferred = deferredTools(body);
	const messages = objectsOf(body.messages);
	return [headPart(body), ...messages.flatMap((message, index) => messageParts(message, index, deferred))];
}

function withSignature(block: Fields, signature: string): Fields {
	return block.type === "thinking" ? { ...block, signature } : { ...block, data: signature };
}

/** The Messages API (platform.claude.com, "preserved thinking", section on what is checked). */
export const anthropicFormat: SealedFormat = {
	parts,
	length: ({ messages }) => objectsOf(messages).length,
	mapThinking(body, change) {
		const messages = objectsOf(body.messages).map((message, index) => {
			const blocks = blocksOf(message.content);
			if (!blocks.some(isThinking)) return message;
			const changed = blocks.flatMap((block, at) => {
				if (!isThinking(block)) return [block];
				const signature = change(thinkingPart(block, index, at));
				return signature === undefined ? [] : [withSignature(block, signature)];
			});
			return { ...message, content: changed };
		});
		return { ...body, messages };
	},
	append: (body, answer) => ({
		...body,
		messages: [...objectsOf(body.messages), { role: "assistant", content: answer }],
	}),
	answer: ({ messages }, from) => blocksOf(objectsOf(messages)[from]?.content),
};
