/** The seam where a recorded pi message is checked: everything behind it may trust its type. */
import type { HostMessage } from "#pi";
import { type Fields, isFields } from "./json.ts";

export type CheckedMessage =
	| { readonly type: "message"; readonly message: HostMessage }
	| { readonly type: "refused"; readonly reason: string };

/**
 * Check one recorded message. A missing timestamp is taken from its entry; `hookMessage` is what version 2 called
 * `custom` (pi's own migration, session-manager.js).
 */
export function checkMessage(value: unknown, entryTimestamp: unknown): CheckedMessage {
	if (!isFields(value)) return refuse("the entry holds no message");
	const message = {
		...value,
		role: value.role === "hookMessage" ? "custom" : value.role,
		timestamp: readTimestamp(value.timestamp, entryTimestamp),
	};
	const reason = findFault(message);
	if (reason !== undefined) return refuse(reason);
	return { type: "message", message: message as unknown as HostMessage };
}

function refuse(reason: string): CheckedMessage {
	return { type: "refused", reason };
}

function readTimestamp(own: unknown, entry: unknown): number {
	if (typeof own === "number" && Number.isFinite(own)) return own;
	const parsed = typeof entry === "string" ? Date.parse(entry) : Number(entry);
	return Number.isFinite(parsed) ? parsed : 0;
}

function findFault(message: Fields): string | undefined {
	switch (message.role) {
		case "user":
			return findContentFault(message.content);
		case "custom":
			return findFieldFault(message, ["customType"]) ?? findContentFault(message.content);
		case "toolResult":
			return findFieldFault(message, ["toolCallId"]) ?? findContentFault(message.content);
		case "assistant":
			return findReplyFault(message.content);
		case "bashExecution":
			return findFieldFault(message, ["command", "output"]);
		case "branchSummary":
		case "compactionSummary":
			return findFieldFault(message, ["summary"]);
		default:
			return `unknown role ${JSON.stringify(message.role)}`;
	}
}

function findContentFault(content: unknown): string | undefined {
	if (typeof content === "string") return undefined;
	if (!Array.isArray(content)) return "content is neither text nor a list of blocks";
	for (const block of content) {
		if (!isFields(block)) return "a content block is no object";
		if (block.type === "image") continue;
		if (block.type !== "text" || typeof block.text !== "string") {
			return `unknown content block ${JSON.stringify(block.type)}`;
		}
	}
	return undefined;
}

function findReplyFault(content: unknown): string | undefined {
	if (!Array.isArray(content)) return "the model's content is no list of blocks";
	for (const block of content) {
		if (!isFields(block)) return "a content block is no object";
		const fault = findBlockFault(block);
		if (fault !== undefined) return fault;
	}
	return undefined;
}

function findBlockFault(block: Fields): string | undefined {
	switch (block.type) {
		case "text":
			return findFieldFault(block, ["text"]);
		case "thinking":
			return findFieldFault(block, ["thinking"]);
		case "toolCall":
			return (
				findFieldFault(block, ["id", "name"]) ??
				(isFields(block.arguments) ? undefined : "the arguments of a tool call are no object")
			);
		default:
			return `unknown content block ${JSON.stringify(block.type)}`;
	}
}

function findFieldFault(fields: Fields, names: readonly string[]): string | undefined {
	const missing = names.find((name) => typeof fields[name] !== "string");
	return missing === undefined ? undefined : `${missing} is missing`;
}
