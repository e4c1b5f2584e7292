/** How the wire formats of the two APIs that sign thinking look to the prefix check. */
import { blocksOf, type Fields, fieldsOf, isThinking, objectsOf, stringOf } from "../json.ts";

/** The APIs whose models sign their thinking. */
export type SealingApi = "anthropic" | "responses";

/** A thinking block, a redacted one, or a reasoning item, and where it stands in the request. */
export interface ThinkingPart {
	readonly type: "thinking";
	/** Index of the message or input item. */
	readonly message: number;
	/** As error messages and `input_transformations` spell the place. */
	readonly path: string;
	/** OpenAI only. */
	readonly itemId?: string;
	readonly signature: string;
	/** The visible text, which no signature covers. */
	readonly text: string;
}

/** A piece of the request that the prefix check compares, as canonical text. */
interface ContentPart {
	readonly type: "content";
	/** Index of the message or input item; -1 for the system prompt and the tools. */
	readonly message: number;
	readonly content: string;
}

export type Part = ThinkingPart | ContentPart;

/**
 * `parts` yields the system prompt and the tools first, then the conversation in order. What providers do not compare is
 * left out: cache markers, key order, limits, effort, metadata, tool choice and the thinking configuration.
 */
interface SealedFormat {
	readonly parts: (body: Fields) => readonly Part[];
	/** Index that the next message or item of the request would get. */
	readonly length: (body: Fields) => number;
	/** The body with some thinking replaced, or removed where the answer is undefined. */
	readonly mapThinking: (body: Fields, change: (part: ThinkingPart) => string | undefined) => Fields;
	/** The body with an answer of the model at its end: content blocks, or output items. */
	readonly append: (body: Fields, answer: readonly Fields[]) => Fields;
	/** The answer that `append` added to a body of this length. */
	readonly answer: (body: Fields, length: number) => readonly Fields[];
}

/**
 * Writes JSON so that equal content gives equal text and different content different text: object keys sorted, undefined
 * fields left out. Strings carry their length instead of escapes, which long tool results would make slow.
 */
export function canonicalText(value: unknown): string {
	if (typeof value === "string") return `${value.length}"${value}`;
	if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
	if (typeof value !== "object" || value === null) return String(value);
	const fields: Fields = fieldsOf(value);
	const entries = Object.keys(fields)
		.sort()
		.filter((key) => fields[key] !== undefined)
		.map((key) => canonicalText(key) + canonicalText(fields[key]));
	return `{${entries.join(",")}}`;
}

function contentPart(message: number, value: unknown): Part {
	return { type: "content", message, content: canonicalText(value) };
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

function thinkingPart(block: Fields, message: number, at: number): ThinkingPart {
	const redacted = block.type === "redacted_thinking";
	return {
		type: "thinking",
		message,
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

/** System prompt and tools. A deferred tool without a reference is not compared. */
function headPart(body: Fields): Part {
	const tools = objectsOf(body.tools).filter((tool) => tool.defer_loading !== true);
	return contentPart(-1, { system: blocksOf(body.system).map(comparable), tools: tools.map(comparable) });
}

function deferredTools(body: Fields): ReadonlyMap<string, Fields> {
	const deferred = objectsOf(body.tools).filter((tool) => tool.defer_loading === true);
	return new Map(deferred.map((tool) => [stringOf(tool.name), comparable(tool)]));
}

/**
 * A message stands for nothing before its first block that is compared, so one of thinking alone counts as absent. Its
 * effort is not compared; that the message is there, is.
 */
function messageParts(
	{ role, clear_at: clearAt, content }: Fields,
	index: number,
	deferred: ReadonlyMap<string, Fields>,
): readonly Part[] {
	const blocks = blocksOf(content);
	const envelope = contentPart(index, { role, clear_at: clearAt ?? undefined });
	if (blocks.length === 0) return role === "assistant" ? [] : [envelope];
	const first = blocks.findIndex((block) => !isThinking(block));
	return blocks.flatMap((block, at): readonly Part[] => {
		if (isThinking(block)) return [thinkingPart(block, index, at)];
		const tools = referencedTools(block).flatMap((name) => deferred.get(name) ?? []);
		const compared = [comparable(block), ...tools].map((value) => contentPart(index, value));
		return at === first ? [envelope, ...compared] : compared;
	});
}

function parts(body: Fields): readonly Part[] {
	const deferred = deferredTools(body);
	const messages = objectsOf(body.messages);
	return [headPart(body), ...messages.flatMap((message, index) => messageParts(message, index, deferred))];
}

/** The Messages API (platform.claude.com, "preserved thinking", section on what is checked). */
const anthropicFormat: SealedFormat = {
	parts,
	length: ({ messages }) => objectsOf(messages).length,
	mapThinking(body, change) {
		const messages = objectsOf(body.messages).map((message, index) => {
			const blocks = blocksOf(message.content);
			if (!blocks.some(isThinking)) return message;
			const changed = blocks.flatMap((block, at) => {
				if (!isThinking(block)) return [block];
				const signature = change(thinkingPart(block, index, at));
				if (signature === undefined) return [];
				return [block.type === "thinking" ? { ...block, signature } : { ...block, data: signature }];
			});
			return { ...message, content: changed };
		});
		return { ...body, messages };
	},
	append: (body, answer) => ({
		...body,
		messages: [...objectsOf(body.messages), { role: "assistant", content: answer }],
	}),
	answer: ({ messages }, length) => blocksOf(objectsOf(messages)[length]?.content),
};

/** A string input stands for one user message. */
export function itemsOf(input: unknown): readonly Fields[] {
	return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
}

function isReasoning({ type }: Fields): boolean {
	return type === "reasoning";
}

function reasoningPart(item: Fields, index: number): ThinkingPart {
	return {
		type: "thinking",
		message: index,
		path: `input[${index}]`,
		itemId: stringOf(item.id),
		signature: stringOf(item.encrypted_content),
		text: objectsOf(item.summary)
			.map(({ text }) => stringOf(text))
			.join("\n"),
	};
}

/** An item as it is compared: ids and status name the item and are no content, and a string is one text part. */
function comparableItem(item: Fields): Fields {
	const { id: _id, status: _status, type = "message", content, ...rest } = item;
	if (typeof content !== "string") return { ...rest, type, content };
	const text = { type: item.role === "assistant" ? "output_text" : "input_text", text: content };
	return { ...rest, type, content: [text] };
}

/**
 * The Responses API (developers.openai.com, "keep the prefix unchanged"). No source says how OpenAI treats a gap in the
 * reasoning; the server applies Anthropic's rule, which is the stricter reading.
 */
const responsesFormat: SealedFormat = {
	parts: (body) => [
		contentPart(-1, { instructions: body.instructions ?? "", tools: objectsOf(body.tools) }),
		...itemsOf(body.input).map((item, index) =>
			isReasoning(item) ? reasoningPart(item, index) : contentPart(index, comparableItem(item)),
		),
	],
	length: ({ input }) => itemsOf(input).length,
	mapThinking(body, change) {
		const input = itemsOf(body.input).flatMap((item, index) => {
			if (!isReasoning(item)) return [item];
			const signature = change(reasoningPart(item, index));
			return signature === undefined ? [] : [{ ...item, encrypted_content: signature }];
		});
		return { ...body, input };
	},
	append: (body, answer) => ({ ...body, input: [...itemsOf(body.input), ...answer] }),
	answer: ({ input }, length) => itemsOf(input).slice(length),
};

export const FORMATS: Readonly<Record<SealingApi, SealedFormat>> = {
	anthropic: anthropicFormat,
	responses: responsesFormat,
};
