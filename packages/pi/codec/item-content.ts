/** The texts and images of a session's items and parts, byte for byte. */
import { printable, quote } from "#basics";
import type { Graph } from "#core/graph";
import type { RecallPart } from "#core/recall";
import type { Item } from "#core/transcript";
import { contentText, type HostMessage, type Image, ownOutput, type ToolResult } from "./host-message.ts";

/** Reads the texts of a graph that was folded from these messages. */
export function itemTexts(
	messages: readonly HostMessage[],
	graph: Pick<Graph, "messages">,
): (item: Item) => string | undefined {
	return (item) => {
		const message = messages[item.message];
		if (!message) return undefined;
		switch (message.role) {
			case "assistant": {
				const block = message.content[blockOf(graph, item)];
				if (block?.type === "thinking") return block.thinking;
				return block?.type === "text" ? block.text : block && argumentText(block.arguments);
			}
			case "bashExecution":
				return `${message.command}\n${message.output}`;
			case "branchSummary":
			case "compactionSummary":
				return message.summary;
			case "toolResult":
				return contentText(ownOutput(message.content));
			default:
				return contentText(message.content);
		}
	};
}

/** The text of a call: its arguments as the tool gets them, not as JSON writes them. */
export function argumentText(args: unknown): string {
	return [...stringsOf(args)].map(({ text }) => text).join("\n");
}

/** Every string of a call's arguments, however deep, with the name that it goes by. */
export function* stringsOf(value: unknown, name = ""): Generator<{ name: string; text: string }> {
	if (typeof value === "string") yield { name, text: value };
	else if (Array.isArray(value)) for (const element of value) yield* stringsOf(element, name);
	else if (typeof value === "object" && value !== null) {
		for (const [key, element] of Object.entries(value)) yield* stringsOf(element, key);
	}
}

/** A text of a part, or a stretch of it: `to` is not part of that. */
export interface PartText {
	/** `result`, `error`, `@1` for the first long argument, "" for a part that is one text. */
	readonly name: string;
	readonly text: string;
	/** In characters. */
	readonly from: number;
	readonly to: number;
}

function whole(name: string, text: string): PartText {
	return { name, text, from: 0, to: text.length };
}

export interface PartContent {
	/** The part on one line: a call with its arguments, or who said it. */
	readonly summary: string;
	/** Arguments of a call that the line leaves out. */
	readonly args: readonly PartText[];
	/** Words that were said, or that a call produced. */
	readonly texts: readonly PartText[];
	readonly images: readonly Image[];
}

/** A session as the host has it, with the graph that was folded from these messages. */
export interface Source {
	readonly messages: readonly HostMessage[];
	readonly graph: Graph;
}

/** Longer arguments are given as texts of their own; in characters. */
const MAX_INLINE_LENGTH = 60;
/** More than this on one line is given as a text too; in characters. */
const MAX_SUMMARY_LENGTH = 240;

export function contentOf(source: Source, { items: [item, result] }: RecallPart): PartContent {
	const message = source.messages[item.message];
	if (!message) return oneText("nothing", "");
	if (message.role !== "assistant") return readMessage(message);
	const block = message.content[blockOf(source.graph, item)];
	if (block?.type === "thinking") return oneText("reasoning", block.thinking);
	if (block?.type === "text") return oneText("said", block.text);
	if (block?.type !== "toolCall") return oneText("block", JSON.stringify(block) ?? "");
	const call = readArguments(block.name, block.arguments);
	const answer = result && source.messages[result.message];
	if (answer?.role !== "toolResult") return { ...call, texts: [], images: [] };
	return { ...call, ...readBlocks(ownOutput(answer.content), answer.isError ? "error" : "result") };
}

/** The place of an item in its message: model messages have one item for each block. */
export function blockOf({ messages }: Pick<Graph, "messages">, item: Item): number {
	return messages[item.message]?.items.findIndex(({ id }) => id === item.id) ?? -1;
}

function oneText(summary: string, text: string): PartContent {
	return { summary, args: [], texts: [whole("", text)], images: [] };
}

const summaries = { user: "user", custom: "note" } as const;

function readMessage(message: Exclude<HostMessage, { readonly role: "assistant" }>): PartContent {
	switch (message.role) {
		case "toolResult":
			return { summary: "result", args: [], ...readBlocks(ownOutput(message.content), "") };
		case "user":
		case "custom":
			return { summary: summaries[message.role], args: [], ...readBlocks(message.content, "") };
		case "bashExecution": {
			const call = readArguments("user ran", { command: message.command });
			return { ...call, texts: [whole("output", message.output)], images: [] };
		}
		case "branchSummary":
		case "compactionSummary":
			return oneText("summary", message.summary);
		default:
			return oneText("message", JSON.stringify(message satisfies never));
	}
}

/** Each text block on its own, so that their borders are kept. */
function readBlocks(
	content: string | ToolResult["content"],
	name: string,
): Pick<PartContent, "texts" | "images"> {
	if (typeof content === "string") return { texts: [whole(name, content)], images: [] };
	const texts = content.filter((block) => block.type === "text");
	return {
		texts: texts.map(({ text }, i) => whole(i === 0 ? name : `${name} ${i + 1}`.trim(), text)),
		images: content.filter((block) => block.type === "image"),
	};
}

/** A call on one line: its arguments as JSON, with `@n` in place of each long one. */
function readArguments(
	tool: string,
	given: Readonly<Record<string, unknown>>,
): Pick<PartContent, "summary" | "args"> {
	const args: PartText[] = [];
	const json = JSON.stringify(given, (_key, value: unknown) => {
		const isLong = typeof value === "string" && (value.length > MAX_INLINE_LENGTH || value.includes("\n"));
		if (!isLong) return value;
		const name = `@${args.length + 1}`;
		args.push(whole(name, value));
		return name;
	});
	const name = /^[\w. -]{1,40}$/.test(tool) ? tool : quote(tool.slice(0, 40));
	if (json.length <= MAX_SUMMARY_LENGTH) return { summary: `${name} ${printable(json)}`, args };
	return { summary: name, args: [whole("arguments", json), ...args] };
}
