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
 * The differences between the two APIs. A conversation is a list of messages, each a list of blocks; an item of the Responses
 * API is a message of one block. What providers do not compare is left out: cache markers, key order, limits, effort, metadata,
 * tool choice and the thinking configuration.
 */
interface SealedFormat {
	/** The system prompt and the tools as they are compared. */
	readonly head: (body: Fields) => unknown;
	readonly messages: (body: Fields) => readonly (readonly Fields[])[];
	/** The body with these blocks in its messages. */
	readonly replace: (body: Fields, messages: readonly (readonly Fields[])[]) => Fields;
	/** The body with an answer of the model at its end: content blocks, or output items. */
	readonly append: (body: Fields, answer: readonly Fields[]) => Fields;
	/** Undefined for a block that is no thinking. */
	readonly thinking: (block: Fields, message: number, at: number) => ThinkingPart | undefined;
	readonly sign: (block: Fields, signature: string) => Fields;
	/** The part of each block of a message, and of a message without blocks, that is compared; that of thinking is ignored. */
	readonly compare: (
		body: Fields,
	) => (blocks: readonly Fields[], message: number) => readonly (readonly unknown[])[];
}

/** The system prompt and the tools first, then the conversation in order. */
export function partsOf(api: SealingApi, body: Fields): readonly Part[] {
	const { head, messages, thinking, compare } = FORMATS[api];
	const content = (message: number, value: unknown): Part => ({
		...{ type: "content", message, content: canonicalText(value) },
	});
	const compared = compare(body);
	const said = messages(body).flatMap((blocks, message) =>
		compared(blocks, message).flatMap((values, at): readonly Part[] => {
			const thought = thinking(blocks[at] ?? {}, message, at);
			return thought ? [thought] : values.map((value) => content(message, value));
		}),
	);
	return [content(-1, head(body)), ...said];
}

/** The body with some thinking signed anew, or removed where the answer is undefined. */
export function mapThinking(
	api: SealingApi,
	body: Fields,
	change: (part: ThinkingPart) => string | undefined,
): Fields {
	const { messages, replace, thinking, sign } = FORMATS[api];
	const changed = messages(body).map((blocks, message) =>
		blocks.flatMap((block, at) => {
			const part = thinking(block, message, at);
			if (!part) return [block];
			const signature = change(part);
			return signature === undefined ? [] : [sign(block, signature)];
		}),
	);
	return replace(body, changed);
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

/** Names of the tools that a block refers to, which makes a deferred tool part of the conversation. */
function referencedTools(block: Fields): readonly string[] {
	if (block.type === "tool_use") return [stringOf(block.name)];
	if (block.type === "tool_reference") return [stringOf(block.tool_name)];
	if (block.type === "tool_addition" || block.type === "tool_removal") {
		return [stringOf(fieldsOf(block.tool).name)];
	}
	return block.type === "tool_result" ? blocksOf(block.content).flatMap(referencedTools) : [];
}

/** The Messages API (platform.claude.com, "preserved thinking", section on what is checked). */
const anthropicFormat: SealedFormat = {
	/** A deferred tool without a reference is not compared. */
	head({ system, tools }) {
		const loaded = objectsOf(tools).filter((tool) => tool.defer_loading !== true);
		return { system: blocksOf(system).map(comparable), tools: loaded.map(comparable) };
	},
	messages: ({ messages }) => objectsOf(messages).map(({ content }) => blocksOf(content)),
	replace: (body, contents) => ({
		...body,
		messages: objectsOf(body.messages).map((message, index) => ({ ...message, content: contents[index] })),
	}),
	append: (body, answer) => ({
		...body,
		messages: [...objectsOf(body.messages), { role: "assistant", content: answer }],
	}),
	thinking(block, message, at) {
		if (!isThinking(block)) return undefined;
		const signature = stringOf(block.type === "thinking" ? block.signature : block.data);
		const path = `messages.${message}.content.${at}`;
		return { type: "thinking", message, path, signature, text: stringOf(block.thinking) };
	},
	sign: (block, signature) =>
		block.type === "thinking" ? { ...block, signature } : { ...block, data: signature },
	/**
	 * A message stands for nothing before its first block that is compared, so one of thinking alone counts as absent. Its
	 * effort is not compared; that the message is there, is.
	 */
	compare(body) {
		const messages = objectsOf(body.messages);
		const deferred = objectsOf(body.tools).filter((tool) => tool.defer_loading === true);
		const toolOf = new Map(deferred.map((tool) => [stringOf(tool.name), comparable(tool)]));
		return (blocks, message) => {
			const { role, clear_at: clearAt } = messages[message] ?? {};
			const envelope = { role, clear_at: clearAt ?? undefined };
			if (blocks.length === 0) return role === "assistant" ? [] : [[envelope]];
			const first = blocks.findIndex((block) => !isThinking(block));
			return blocks.map((block, at) => {
				const tools = referencedTools(block).flatMap((name) => toolOf.get(name) ?? []);
				return [...(at === first ? [envelope] : []), comparable(block), ...tools];
			});
		};
	},
};

/** A string input stands for one user message. */
export function itemsOf(input: unknown): readonly Fields[] {
	return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
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
	head: ({ instructions, tools }) => ({ instructions: instructions ?? "", tools: objectsOf(tools) }),
	messages: ({ input }) => itemsOf(input).map((item) => [item]),
	replace: (body, items) => ({ ...body, input: items.flat() }),
	append: (body, answer) => ({ ...body, input: [...itemsOf(body.input), ...answer] }),
	thinking(item, message) {
		if (item.type !== "reasoning") return undefined;
		const said = objectsOf(item.summary).map(({ text }) => stringOf(text));
		return {
			...{ type: "thinking", message, path: `input[${message}]`, itemId: stringOf(item.id) },
			...{ signature: stringOf(item.encrypted_content), text: said.join("\n") },
		};
	},
	sign: (item, signature) => ({ ...item, encrypted_content: signature }),
	compare:
		() =>
		([item = {}]) => [[comparableItem(item)]],
};

export const FORMATS: Readonly<Record<SealingApi, SealedFormat>> = {
	anthropic: anthropicFormat,
	responses: responsesFormat,
};
