import type { Breakpoint } from "../cache/breakpoints.ts";
import type { Segmenter } from "../cache/segment.ts";
import type { ModelMessage, ToolDefinition } from "../script/scripted-model.ts";
import { openSeal } from "../thinking/seal.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { IMAGE_TEXT, MESSAGE_FRAMING, type Reading } from "../wire/reading.ts";

const MINUTE = 60_000;

/** A string stands for one text block wherever blocks are allowed. */
function blocksOf(content: unknown): readonly Fields[] {
	if (typeof content !== "string") return objectsOf(content);
	return content === "" ? [] : [{ type: "text", text: content }];
}

function blocksText(content: unknown): string {
	return blocksOf(content)
		.map((block) => stringOf(block.text))
		.filter((text) => text)
		.join("\n");
}

function readAssistant(blocks: readonly Fields[]): ModelMessage {
	const calls = blocks.filter((block) => block.type === "tool_use");
	return {
		type: "assistant",
		thinking: blocks.map((block) => stringOf(block.thinking)).join(""),
		text: blocksText(blocks),
		calls: calls.map((call) => ({
			id: stringOf(call.id),
			name: stringOf(call.name),
			arguments: fieldsOf(call.input),
		})),
	};
}

function readUser(blocks: readonly Fields[]): readonly ModelMessage[] {
	const results = blocks.filter((block) => block.type === "tool_result");
	const rest = blocks.filter((block) => block.type !== "tool_result");
	const read: ModelMessage[] = results.map((block) => ({
		type: "result",
		callId: stringOf(block.tool_use_id),
		text: blocksText(block.content),
		isError: block.is_error === true,
	}));
	return rest.length === 0 ? read : [...read, { type: "user", text: blocksText(rest) }];
}

function readSystem(blocks: readonly Fields[]): readonly ModelMessage[] {
	const text = blocksText(blocks);
	return text === "" ? [] : [{ type: "system", text }];
}

function readMessage(message: Fields): readonly ModelMessage[] {
	const blocks = blocksOf(message.content);
	if (message.role === "system") return readSystem(blocks);
	return message.role === "assistant" ? [readAssistant(blocks)] : readUser(blocks);
}

function visibleTexts(block: Fields): readonly string[] {
	switch (block.type) {
		case "tool_use":
			return [stringOf(block.name), JSON.stringify(block.input ?? {})];
		case "tool_result":
			return blocksOf(block.content).flatMap(visibleTexts);
		case "image":
			return [IMAGE_TEXT];
		case "tool_addition":
			return [JSON.stringify(block.tool)];
		default:
			return [stringOf(block.thinking), stringOf(block.text)];
	}
}

/** Tokens of thinking as its signature states them; undefined for blocks of other types and foreign signatures. */
function sealedTokens({ type, signature, data }: Fields): number | undefined {
	if (type === "thinking") return openSeal(stringOf(signature))?.tokens;
	return type === "redacted_thinking" ? openSeal(stringOf(data))?.tokens : undefined;
}

/** A cacheable block of the prompt, in the provider's order. */
interface PromptBlock {
	readonly block: Fields;
	/** Text in front of the block's own bytes, so that equal blocks in different places differ. */
	readonly place: string;
	readonly framing: number;
}

/**
 * Settings that invalidate the messages' cache, not the tools' (prompt-caching guide, "what invalidates"): thinking,
 * tool choice and the request's effort. The reaction to stale thinking is no setting of the model.
 */
function messageSettings(body: Fields): string {
	const { block_binding: _binding, ...thinking } = fieldsOf(body.thinking);
	const { effort = null } = fieldsOf(body.output_config);
	return JSON.stringify([body.thinking ? thinking : null, body.tool_choice ?? null, effort]);
}

function promptBlocks(body: Fields): readonly PromptBlock[] {
	const tools = objectsOf(body.tools).map((block) => ({ block, place: "tool", framing: 0 }));
	const system = blocksOf(body.system).map((block) => ({ block, place: "system", framing: 0 }));
	const messages = objectsOf(body.messages).flatMap((message, index) =>
		blocksOf(message.content).map((block, at) => ({
			block,
			place: stringOf(message.role) + (index === 0 && at === 0 ? messageSettings(body) : ""),
			framing: at === 0 ? MESSAGE_FRAMING : 0,
		})),
	);
	return [...tools, ...system, ...messages];
}

/** The default lifetime is 5 minutes; one hour can be asked for (prompt-caching guide, "1-hour cache duration"). */
function lifetimeOf(block: Fields): number {
	return fieldsOf(block.cache_control).ttl === "1h" ? 60 * MINUTE : 5 * MINUTE;
}

function readTool(tool: Fields): ToolDefinition {
	const { name, description, input_schema: parameters } = tool;
	return { name: stringOf(name), description: stringOf(description), parameters };
}

/** The tools in force: those of the request that are not deferred, changed by the system messages in order. */
function readTools(body: Fields): readonly ToolDefinition[] {
	const initial = objectsOf(body.tools).filter((tool) => tool.defer_loading !== true);
	const tools = new Map(initial.map((tool) => [stringOf(tool.name), tool]));
	for (const message of objectsOf(body.messages)) {
		if (message.role !== "system") continue;
		for (const { type, tool } of blocksOf(message.content)) {
			const { name, definition } = fieldsOf(tool);
			if (type === "tool_removal") tools.delete(stringOf(name));
			const added = fieldsOf(definition);
			if (type === "tool_addition" && definition) tools.set(stringOf(added.name), added);
		}
	}
	return [...tools.values()].map(readTool);
}

/** Reads a messages body (docs.claude.com/en/api/messages). */
export function readAnthropic(body: Fields, segment: Segmenter): Reading {
	const blocks = promptBlocks(body);
	const segments = blocks.map(({ block, place, framing }) => {
		const { cache_control: _marker, ...unmarked } = block;
		const bytes = JSON.stringify(unmarked);
		const sealed = sealedTokens(block);
		const visible = (): readonly string[] => {
			if (sealed !== undefined) return [];
			return place === "tool" ? [bytes] : visibleTexts(block);
		};
		return segment({ bytes: place + bytes, visible, framing: framing + (sealed ?? 0) });
	});
	const breakpoints = blocks.flatMap(({ block }, position): readonly Breakpoint[] =>
		block.cache_control ? [{ position, lifetime: lifetimeOf(block) }] : [],
	);
	const thinking = fieldsOf(body.thinking).type;
	return {
		model: stringOf(body.model),
		stream: body.stream === true,
		streamUsage: true,
		thinking: thinking === "enabled" || thinking === "adaptive",
		request: {
			system: blocksText(body.system),
			tools: readTools(body),
			messages: objectsOf(body.messages).flatMap(readMessage),
		},
		segments,
		breakpoints,
	};
}
