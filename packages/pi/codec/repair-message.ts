/**
 * Messages of a session file that somebody made or damaged: fields of another type than pi writes. pi itself gets along
 * with many of them, and so must we, or one such message would take a session out of its budget.
 */
import { isRecord, type UnknownRecord } from "#basics";
import type { HostMessage } from "./host-message.ts";

/** The message with a value of the right type in place of each field that we read and that has another one; mostly the message itself. */
export function repairMessage(message: HostMessage): HostMessage {
	const fields: UnknownRecord = { ...message };
	const changes = changesOf(fields);
	// Only fields of this role were changed, to the types that they have in it.
	return Object.keys(changes).length === 0 ? message : ({ ...message, ...changes } as HostMessage);
}

/** The fields of each role that hold a text. */
const textFields: ReadonlyMap<unknown, readonly string[]> = new Map([
	["assistant", ["api", "provider", "model", "stopReason"]],
	["toolResult", ["toolCallId", "toolName"]],
	["custom", ["customType"]],
	["bashExecution", ["command", "output"]],
	["branchSummary", ["summary"]],
	["compactionSummary", ["summary"]],
]);

/** Those of each type of block; a block of an unknown type may have one. */
const blockTexts: ReadonlyMap<unknown, readonly string[]> = new Map([
	["thinking", ["thinking"]],
	["image", ["data", "mimeType"]],
	["toolCall", ["id", "name"]],
	["text", ["text"]],
]);

function changesOf(fields: UnknownRecord): UnknownRecord {
	const { role } = fields;
	const isBlocks = role === "assistant" || role === "toolResult";
	const isContent = (role === "custom" || role === "user") && typeof fields.content !== "string";
	return {
		...(typeof fields.timestamp !== "number" && { timestamp: 0 }),
		...textsOf(fields, textFields.get(role) ?? []),
		...((isBlocks || isContent) && blocksOf(fields)),
	};
}

function textsOf(fields: UnknownRecord, names: readonly string[]): UnknownRecord {
	const odd = names.filter((name) => typeof fields[name] !== "string");
	return Object.fromEntries(odd.map((name) => [name, ""]));
}

function blocksOf({ content }: UnknownRecord): UnknownRecord {
	if (typeof content === "string") return { content: [{ type: "text", text: content }] };
	if (!Array.isArray(content)) return { content: [] };
	const blocks = Array.from(content, repairBlock);
	return blocks.every((block, index) => block === content[index]) ? {} : { content: blocks };
}

/** Items are counted by the place of their block, so each block stays one. */
function repairBlock(block: unknown): unknown {
	if (!isRecord(block) || typeof block.type !== "string") return { type: "text", text: "" };
	const isOdd = block.type === "toolCall" && !isRecord(block.arguments);
	const changes = {
		...textsOf(block, blockTexts.get(block.type) ?? ("text" in block ? ["text"] : [])),
		...(isOdd && { arguments: {} }),
	};
	return Object.keys(changes).length === 0 ? block : { ...block, ...changes };
}
