/** The text of an item of the transcript, from the message that it was read from. */
import type { Graph } from "#core/graph";
import type { Item } from "#core/transcript";
import type { Answer, HostMessage } from "./host-message.ts";
import { contentText } from "./messages.ts";

/** Reads the texts of a graph that was folded from these messages. */
export function itemTexts(
	messages: readonly HostMessage[],
	graph: Pick<Graph, "messages">,
): (item: Item) => string | undefined {
	return (item) => {
		const message = messages[item.message];
		if (!message) return undefined;
		if (message.role !== "assistant") return messageText(message);
		const block = graph.messages[item.message]?.items.findIndex(({ id }) => id === item.id) ?? -1;
		const content = message.content[block];
		return content && blockText(content);
	};
}

function messageText(message: Exclude<HostMessage, Answer>): string {
	switch (message.role) {
		case "bashExecution":
			return `${message.command}\n${message.output}`;
		case "branchSummary":
		case "compactionSummary":
			return message.summary;
		default:
			return contentText(message.content);
	}
}

function blockText(block: Answer["content"][number]): string {
	if (block.type === "text") return block.text;
	if (block.type === "thinking") return block.thinking;
	return argumentText(block.arguments);
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
