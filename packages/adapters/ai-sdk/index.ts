/** The Vercel AI SDK: `prepareStep` of `generateText`, `streamText` and `ToolLoopAgent`, for versions 5 to 7. */
import type { ModelMessage } from "ai";
import { type ContextOptions, createManagedContext, type Host } from "../context/managed-context.ts";
import {
	argumentsOf,
	callDraft,
	type ItemDraft,
	opaque,
	type Reading,
	resultDraft,
	type TextReader,
	textDraft,
	textsOf,
	userReading,
} from "../context/reading.ts";

export { createFileStore } from "../context/file-store.ts";
export type { ContextOptions, PassStore, StoredPass } from "../context/managed-context.ts";

export interface PrepareStepOptions extends ContextOptions {
	/** The name of the conversation, under which its passes are stored. */
	readonly session: string;
}

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type AssistantPart = Exclude<AssistantMessage["content"], string>[number];
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type ToolResult = Extract<ToolMessage["content"][number], { type: "tool-result" }>;

/** Creates the `prepareStep` of one conversation, which keeps its requests below the budget. */
export function createPrepareStep({ session, ...options }: PrepareStepOptions) {
	const context = createManagedContext(host, options);
	let last: { readonly whole: readonly ModelMessage[]; readonly sent: readonly ModelMessage[] } | undefined;
	return async ({ messages }: { readonly messages: readonly ModelMessage[] }) => {
		// From version 7 on, what one step was given carries forward to the next one.
		const carries = last?.sent.every((message, index) => messages[index] === message);
		const whole = last && carries ? [...last.whole, ...messages.slice(last.sent.length)] : messages;
		const sent = await context.project(session, whole);
		last = { whole, sent };
		return { messages: [...sent] };
	};
}

const host: Host<ModelMessage> = {
	read(message, reader) {
		switch (message.role) {
			case "user":
				return userReading(message.content, reader);
			case "assistant":
				return readAnswer(message, reader);
			case "tool":
				return readResults(message, reader);
			default:
				return opaque(message);
		}
	},
	edit(message, { keeps, lines }) {
		if (message.role === "assistant" && typeof message.content !== "string") {
			return { ...message, content: message.content.filter((_, part) => keeps(part)) };
		}
		if (message.role !== "tool") return message;
		const content = message.content.flatMap((block, part) => {
			if (!keeps(part)) return [];
			const text = lines.get(part);
			return text === undefined || block.type !== "tool-result" ? [block] : [withText(block, text)];
		});
		return { ...message, content };
	},
	note: (text) => ({ role: "user", content: text }),
};

function readAnswer(message: AssistantMessage, reader: TextReader): Reading {
	const { content } = message;
	const blocks: readonly AssistantPart[] =
		typeof content === "string" ? [{ type: "text", text: content }] : content;
	const items = blocks.map((block, part) => ({ draft: readBlock(block, reader), part }));
	// Calls that the provider itself makes are no pairs that can be told apart from here.
	const drafts = items.flatMap(({ draft, part }) => (draft ? [{ draft, part }] : []));
	if (drafts.length < items.length) return opaque(message);
	const names = blocks.map((block) => (block.type === "tool-call" ? block.toolCallId : textOfBlock(block)));
	const identity = JSON.stringify(["assistant", ...names]);
	return { identity, units: [{ author: "model", items: drafts }] };
}

function textOfBlock(block: AssistantPart): string {
	return block.type === "text" ? block.text : "";
}

function readBlock(block: AssistantPart, reader: TextReader): ItemDraft | undefined {
	switch (block.type) {
		case "text":
		case "reasoning":
			return textDraft(block.type, block.text, reader);
		case "tool-call":
			return block.providerExecuted
				? undefined
				: callDraft(block.toolCallId, block.toolName, argumentsOf(block.input), reader);
		default:
			return undefined;
	}
}

function readResults(message: ToolMessage, reader: TextReader): Reading {
	const units = message.content.map((block, part) => {
		if (block.type !== "tool-result") return { author: "host" as const, items: [] };
		const { toolCallId, output } = block;
		const isError = output.type.startsWith("error") || output.type === "execution-denied";
		const draft = resultDraft(toolCallId, "value" in output ? output.value : "", isError, reader);
		return { author: "tool" as const, items: [{ draft, part }] };
	});
	const ids = message.content.map((block) => (block.type === "tool-result" ? block.toolCallId : block.type));
	return { identity: JSON.stringify(["tool", ...ids]), units };
}

function withText(block: ToolResult, text: string): ToolResult {
	const { output } = block;
	switch (output.type) {
		case "text":
		case "error-text":
			return { ...block, output: { ...output, value: `${output.value}\n\n${text}` } };
		case "content":
			return { ...block, output: { ...output, value: [...output.value, { type: "text", text }] } };
		default: {
			const said = "value" in output ? textsOf(output.value).join("\n") : (output.reason ?? "denied");
			const type = output.type === "json" ? "text" : "error-text";
			return { ...block, output: { type, value: `${said}\n\n${text}` } };
		}
	}
}
