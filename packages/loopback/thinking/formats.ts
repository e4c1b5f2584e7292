/** How the wire formats of the two APIs that sign thinking look to the prefix check. */
import { blocksOf, type Fields, fieldsOf, isThinking, objectsOf, stringOf } from "../json.ts";
import { signatureField } from "../seal.ts";

/** The APIs whose models sign their thinking. */
export type SealingApi = "anthropic" | "responses";

/** A thinking block, a redacted one, or a reasoning item, and where it stands in the request. */
export interface ThinkingPart {
	/** Index of the message or input item. */
	readonly message: number;
	/** As error messages and `input_transformations` spell the place. */
	readonly path: string;
	readonly block: Fields;
}

/** A piece of the request that the prefix check compares, as canonical text. */
type ContentPart = string;

/**
 * The differences between the two APIs. A conversation is a list of messages, each a list of blocks; an item of the Responses
 * API is a message of one block. What providers do not compare is left out: cache markers, key order, limits, effort, metadata,
 * tool choice and the thinking configuration.
 */
interface SealedFormat {
	/** The system prompt and the tools as they are compared. */
	readonly head: (body: Fields) => unknown;
	readonly messages: (body: Fields) => readonly (readonly Fields[])[];
	/** The body with these blocks in its messages. One more message than it has is an answer of the model. */
	readonly replace: (body: Fields, messages: readonly (readonly Fields[])[]) => Fields;
	readonly pathOf: (message: number, at: number) => string;
	/** The part of each block of a message, and of a message without blocks, that is compared; that of thinking is ignored. */
	readonly compare: (
		body: Fields,
	) => (blocks: readonly Fields[], message: number) => readonly (readonly unknown[])[];
}

/** The system prompt and the tools first, then the conversation in order. */
export function partsOf(api: SealingApi, body: Fields): readonly (ThinkingPart | ContentPart)[] {
	const { head, messages, pathOf, compare } = FORMATS[api];
	const compared = compare(body);
	const said = messages(body).flatMap((blocks, message) =>
		compared(blocks, message).flatMap((values, at): readonly (ThinkingPart | ContentPart)[] => {
			const block = blocks[at] ?? {};
			return signatureField(block)
				? [{ message, path: pathOf(message, at), block }]
				: values.map(canonicalText);
		}),
	);
	return [canonicalText(head(body)), ...said];
}

/** The body with other signatures of its thinking by path; without the thinking whose signature is undefined. */
export function replaceSignatures(
	api: SealingApi,
	body: Fields,
	signatures: ReadonlyMap<string, string | undefined>,
): Fields {
	const { messages, replace, pathOf } = FORMATS[api];
	const changed = messages(body).map((blocks, message) =>
		blocks.flatMap((block, at) => {
			const [field, path] = [signatureField(block), pathOf(message, at)];
			if (field === undefined || !signatures.has(path)) return [block];
			const signature = signatures.get(path);
			return signature === undefined ? [] : [{ ...block, [field]: signature }];
		}),
	);
	return replace(body, changed);
}

/**
 * Writes JSON so that equal content gives equal text and different content different text: object keys sorted, undefined
 * fields left out. Strings carry their length instead of escapes, which long tool results would make slow.
 */
function canonicalText(value: unknown): string {
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
	replace(body, contents) {
		const messages = objectsOf(body.messages);
		const replaced = contents.map((content, at) => ({ ...(messages[at] ?? { role: "assistant" }), content }));
		return { ...body, messages: replaced };
	},
	pathOf: (message, at) => `messages.${message}.content.${at}`,
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
	pathOf: (message) => `input[${message}]`,
	compare:
		() =>
		([item = {}]) => [[comparableItem(item)]],
};

export const FORMATS: Readonly<Record<SealingApi, SealedFormat>> = {
	anthropic: anthropicFormat,
	responses: responsesFormat,
};
