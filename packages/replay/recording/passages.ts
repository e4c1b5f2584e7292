/** The text of a session as a model reads it, cut where a policy can cut: block by block. */
import { argumentText, contentText, type HostMessage } from "#pi";

/** Where a passage stands: index of its message, and of its block in that message. */
export interface Place {
	readonly message: number;
	readonly block: number;
}

export interface Passage extends Place {
	readonly author: "agent" | "tool" | "user" | "host";
	readonly text: string;
}

/** The passages of one message: one a block for the model's, one for every other. */
export function readPassages(message: HostMessage, index: number): readonly Passage[] {
	switch (message.role) {
		case "assistant":
			return message.content.map((block, i) => ({
				message: index,
				block: i,
				author: "agent",
				text: blockText(block),
			}));
		case "toolResult":
			return [{ message: index, block: 0, author: "tool", text: contentText(message.content) }];
		case "user":
			return [{ message: index, block: 0, author: "user", text: contentText(message.content) }];
		case "bashExecution":
			return [{ message: index, block: 0, author: "user", text: `${message.command}\n${message.output}` }];
		case "custom":
			return [{ message: index, block: 0, author: "host", text: contentText(message.content) }];
		default:
			return [{ message: index, block: 0, author: "host", text: message.summary }];
	}
}

type Block = (HostMessage & { readonly role: "assistant" })["content"][number];

function blockText(block: Block): string {
	if (block.type === "text") return block.text;
	if (block.type === "thinking") return block.thinking;
	return argumentText(block.arguments);
}
