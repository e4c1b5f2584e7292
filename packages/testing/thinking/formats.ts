/** How the prefix check reads the two APIs that sign thinking. */
import { fieldsOf, isRecord, recordsOf, textOf, type UnknownRecord } from "#basics";
import { blocksOf, isThinking, itemsIn, loadedTools, messagesIn } from "../request-body.ts";

/** The APIs whose models sign their thinking. */
export type SealingApi = "anthropic" | "responses";

/** Receives the content of a request in order: the system prompt and the tools first, then the conversation. */
interface Visitor {
	/** A piece of the request that the check compares, as canonical text. */
	content(text: string): void;
	/**
	 * A thinking block, a redacted one or a reasoning item, with its place as error messages and `input_transformations`
	 * spell it. Returns what takes its place; nothing to remove it. `entry`: the index of its message or item.
	 */
	thinking(block: UnknownRecord, path: string, entry: number): readonly UnknownRecord[];
}

/** The list of a request that holds its conversation: messages, or items. */
export const ENTRIES = { anthropic: "messages", responses: "input" } as const;

/** The messages or items of a request. */
export function entriesOf(api: SealingApi, body: UnknownRecord): readonly UnknownRecord[] {
	return api === "anthropic" ? messagesIn(body) : itemsIn(body);
}

/**
 * Visits a request and returns it with the thinking that the visitor put in place. What providers do not compare is left
 * out: cache markers, key order, limits, effort, metadata, tool choice and the thinking configuration.
 */
export function visitRequest(api: SealingApi, body: UnknownRecord, visitor: Visitor): UnknownRecord {
	const visit = api === "anthropic" ? visitMessages : visitItems;
	return { ...body, [ENTRIES[api]]: visit(body, visitor) };
}

/**
 * The Messages API (platform.claude.com, "preserved thinking", section on what is checked). A deferred tool counts from the
 * first block that refers to it. A message stands for nothing before its first block that is compared, so one of thinking
 * alone counts as absent. Its effort is not compared; that the message is there, is.
 */
function visitMessages(body: UnknownRecord, visitor: Visitor): readonly UnknownRecord[] {
	const compare = (content: unknown) => visitor.content(canonicalText(content));
	const isDeferred = (tool: UnknownRecord) => tool.defer_loading === true;
	const tools = recordsOf(body.tools);
	const loaded = tools.filter((tool) => !isDeferred(tool)).map(comparable);
	const deferred = new Map(tools.filter(isDeferred).map((tool) => [textOf(tool.name), comparable(tool)]));
	compare({ system: blocksOf(body.system).map(comparable), tools: loaded });
	return messagesIn(body).map((message, index) => {
		const { role, clear_at: clearAt } = message;
		const envelope = { role, clear_at: clearAt ?? undefined };
		const blocks = blocksOf(message.content);
		if (blocks.length === 0 && role !== "assistant") compare(envelope);
		const first = blocks.findIndex((block) => !isThinking(block));
		const content = blocks.flatMap((block, at) => {
			if (isThinking(block)) return visitor.thinking(block, `messages.${index}.content.${at}`, index);
			if (at === first) compare(envelope);
			compare(comparable(block));
			for (const tool of referencedTools(block).flatMap((name) => deferred.get(name) ?? [])) compare(tool);
			return [block];
		});
		return { ...message, content };
	});
}

/** A block as it is compared: without cache markers, nested content as blocks, `is_error` only when set. */
function comparable(block: UnknownRecord): UnknownRecord {
	const { cache_control: _marker, ...rest } = block;
	if (block.type !== "tool_result") return rest;
	const { is_error: isError, content, ...result } = rest;
	return {
		...result,
		content: blocksOf(content).map(comparable),
		is_error: isError === true || undefined,
	};
}

/** Names of the tools that a block refers to, which makes a deferred tool part of the conversation. */
function referencedTools(block: UnknownRecord): readonly string[] {
	if (block.type === "tool_use") return [textOf(block.name)];
	const isChange = block.type === "tool_addition" || block.type === "tool_removal";
	return isChange ? [textOf(fieldsOf(block.tool).name)] : loadedTools(block);
}

/**
 * The Responses API (developers.openai.com, "keep the prefix unchanged"). No source says how OpenAI treats a gap in the
 * reasoning; the server applies Anthropic's rule, which is the stricter reading.
 */
function visitItems(body: UnknownRecord, visitor: Visitor): readonly UnknownRecord[] {
	const { instructions, tools } = body;
	visitor.content(canonicalText({ instructions: instructions ?? "", tools: recordsOf(tools) }));
	return itemsIn(body).flatMap((item, index) => {
		if (item.type === "reasoning") return visitor.thinking(item, `input[${index}]`, index);
		visitor.content(canonicalText(comparableItem(item)));
		return [item];
	});
}

/** An item as it is compared: ids and status name the item and are no content, and a string is one text part. */
function comparableItem(item: UnknownRecord): UnknownRecord {
	const { id: _id, status: _status, type = "message", content, ...rest } = item;
	if (typeof content !== "string") return { ...rest, type, content };
	const text = { type: item.role === "assistant" ? "output_text" : "input_text", text: content };
	return { ...rest, type, content: [text] };
}

/** JSON whose keys are sorted, so that equal content gives equal text. */
const canonicalText = (content: unknown): string =>
	JSON.stringify(content, (_key, value: unknown) =>
		isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
	);
