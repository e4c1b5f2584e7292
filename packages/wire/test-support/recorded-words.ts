/** The words of recorded messages, as an agent puts them into requests. */
import type { fieldsOf } from "#basics";
import type { HostMessage } from "#pi/codec";

/** An object of a JSON text. */
export type Fields = ReturnType<typeof fieldsOf>;

export type Answer = HostMessage & { readonly role: "assistant" };
export type ToolResult = HostMessage & { readonly role: "toolResult" };
export type Block = Answer["content"][number];

/** Empty for a call, and for white space. */
export function wordsOf(block: Block): string {
	if (block.type === "text") return block.text.trim();
	return block.type === "thinking" ? block.thinking : "";
}

export function textOf(content: ToolResult["content"]): string {
	return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** The content of a result as blocks of the Messages API. */
export function blocksOf(content: ToolResult["content"]): readonly Fields[] {
	return content.flatMap((block): readonly Fields[] => {
		if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
		return [{ type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }];
	});
}

export function userText(message: Exclude<HostMessage, Answer | ToolResult>): string {
	switch (message.role) {
		case "bashExecution":
			return `${message.command}\n${message.output}`;
		case "branchSummary":
		case "compactionSummary":
			return message.summary;
		default:
			return typeof message.content === "string"
				? message.content
				: message.content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
	}
}
