/** Recorded messages in pi's terms: replies with their usage, and the blocks of a message as the APIs and the agents write them. */
import type { Answer, HostMessage } from "#pi/codec";
import { amountOf, type Fields, fieldsOf, isFields, listOf, parseFields, recordsOf, textOf } from "./json.ts";

export type Block = Answer["content"][number];
export type Part = Exclude<(HostMessage & { readonly role: "user" })["content"], string>[number];

type Usage = Answer["usage"];

/** Left out or empty where the file does not say it. */
export type ReplyFacts = Partial<Pick<Answer, "api" | "provider" | "model" | "usage">>;

/** The usage of a request in pi's terms, from what a provider counted; what is no number counts as 0. */
export function usageOf(counted: {
	/** Input that the cache did not serve, without what was written to it. */
	readonly input: unknown;
	readonly cached?: unknown;
	readonly written?: unknown;
	readonly output: unknown;
}): Usage {
	const input = amountOf(counted.input);
	const output = amountOf(counted.output);
	const cacheRead = amountOf(counted.cached);
	const cacheWrite = amountOf(counted.written);
	const totalTokens = input + output + cacheRead + cacheWrite;
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	return { input, output, cacheRead, cacheWrite, totalTokens, cost };
}

/** The usage as pi records it, with the dollars that pi charged; 0 for what it does not say. */
export function recordedUsage(recorded: unknown): Usage {
	const { input, output, cacheRead, cacheWrite, cost } = fieldsOf(recorded);
	const counted = usageOf({ input, cached: cacheRead, written: cacheWrite, output });
	const charged = (kind: keyof Usage["cost"]) => amountOf(fieldsOf(cost)[kind]);
	return {
		...counted,
		cost: {
			input: charged("input"),
			output: charged("output"),
			cacheRead: charged("cacheRead"),
			cacheWrite: charged("cacheWrite"),
			total: charged("total"),
		},
	};
}

/** The usage where the provider counts cached tokens among the input. */
export function inclusiveUsage(input: unknown, cached: unknown, output: unknown): Usage {
	return usageOf({ input: amountOf(input) - amountOf(cached), cached, output });
}

const noUsage = usageOf({ input: 0, output: 0 });
const RECORDED = "recorded";

/** One reply of a model, with nothing charged: the cost of a recorded one is counted again. */
export function modelReply(content: readonly Block[], timestamp: number, facts: ReplyFacts = {}): Answer {
	const { api = RECORDED, provider, model, usage = noUsage } = facts;
	const stopReason = content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
	return {
		role: "assistant",
		content: [...content],
		api,
		provider: provider || RECORDED,
		model: model || RECORDED,
		usage,
		stopReason,
		timestamp,
	};
}

/** An empty list for text that says nothing: no block is sent for it. */
export function says(text: string): Extract<Part, { readonly type: "text" }>[] {
	return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Thinking that only its provider can read has a `seal`, the signature that goes back to it, and often no text. */
export function thinks(thinking: string, seal = ""): Block[] {
	if (seal !== "") return [{ type: "thinking", thinking, thinkingSignature: seal }];
	return thinking.trim() === "" ? [] : [{ type: "thinking", thinking }];
}

/** Thinking blocks as Anthropic's API and programs on top of it write them, redacted ones included. */
export function readThinking(blocks: readonly Fields[]): Block[] {
	return blocks.flatMap(({ type, thinking, signature, data }): Block[] => {
		if (type !== "redacted_thinking") return thinks(textOf(thinking), textOf(signature));
		return [{ type: "thinking", thinking: "", thinkingSignature: textOf(data), redacted: true }];
	});
}

/** OpenAI's reasoning: its summary, and the encrypted content as pi keeps it. */
export function reasons(summary: string, encrypted: string): Block[] {
	const seal = encrypted === "" ? "" : JSON.stringify({ type: "reasoning", encrypted_content: encrypted });
	return thinks(summary, seal);
}

/** The thinking that is sent again: Anthropic's blocks, whose text others repeat, OpenAI's item, or the text alone. */
export function readSentThinking({
	thinking_blocks,
	responses_reasoning_item,
	reasoning_content,
}: Fields): Block[] {
	const blocks = readThinking(recordsOf(thinking_blocks));
	if (blocks.length > 0) return blocks;
	const { encrypted_content } = fieldsOf(responses_reasoning_item);
	return reasons(textOf(reasoning_content), textOf(encrypted_content));
}

/** `args` are recorded as an object or as its JSON. */
export function toolCall(id: string, name: string, args: unknown): Block {
	return { type: "toolCall", id, name, arguments: readArguments(args) };
}

export function callIds(blocks: readonly Block[]): readonly string[] {
	return blocks.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}

/** The arguments of a call, recorded as an object or as its JSON; `input` holds what is neither. */
export function readArguments(value: unknown): Fields {
	if (isFields(value)) return value;
	if (typeof value !== "string") return {};
	return parseFields(value) ?? { input: value };
}

const IMAGES = new Set(["image", "image_url", "input_image", "document"]);

/**
 * Content as the chat APIs write it: a text, or a list of parts with a `text` or a picture, whatever their type is
 * called. Pictures count a fixed sum of tokens: their bytes are dropped, so that they do not fill the memory. Parts of
 * other kinds are handed to `refuse`.
 */
export function readParts(content: unknown, refuse: (kind: string) => void = () => {}): Part[] {
	if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
	const parts: Part[] = [];
	for (const part of listOf(content)) {
		const { type, text, inlineData, tool_name } =
			typeof part === "string" ? { type: "text", text: part } : fieldsOf(part);
		if (typeof text === "string") parts.push({ type: "text", text });
		// A search for tools answers with their names; their definitions are not in the file.
		else if (type === "tool_reference") parts.push({ type: "text", text: `tool ${textOf(tool_name)}` });
		else if (IMAGES.has(textOf(type)) || isFields(inlineData))
			parts.push({ type: "image", data: "", mimeType: "image/png" });
		else refuse(textOf(type) || "without a type");
	}
	return parts;
}

export function joinText(parts: readonly Part[]): string {
	return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
