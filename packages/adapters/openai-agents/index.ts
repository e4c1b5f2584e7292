/** OpenAI Agents for JavaScript: a `callModelInputFilter` for `run` and `Runner`. */
import type { AgentInputItem, CallModelInputFilter, CallModelInputFilterArgs } from "@openai/agents-core";
import { isRecord } from "#core";
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
	textOf,
	textsOf,
	userReading,
} from "../context/reading.ts";

export { createFileStore } from "../context/file-store.ts";
export type { ContextOptions, PassStore, StoredPass } from "../context/managed-context.ts";

export interface FilterOptions<TContext> extends ContextOptions {
	/** The name of the session that a request belongs to, for example from the context of the run; "" if absent. */
	readonly sessionOf?: (args: CallModelInputFilterArgs<TContext>) => string;
}

/**
 * Creates the filter. It needs the whole input: with a conversation that OpenAI stores (`conversationId`,
 * `previousResponseId`) a request holds only what is new, and nothing is evicted.
 */
export function createInputFilter<TContext = unknown>({
	sessionOf = () => "",
	...options
}: FilterOptions<TContext>): CallModelInputFilter<TContext> {
	const context = createManagedContext(host, options);
	const filter: CallModelInputFilter<TContext> = async (args) => {
		const { input, ...rest } = args.modelData;
		return { ...rest, input: [...(await context.project(sessionOf(args), input))] };
	};
	// Items are never changed in place, so that each is read once.
	filter.preserveInputIdentity = true;
	return filter;
}

const host: Host<AgentInputItem> = {
	read(item, reader) {
		if ("role" in item) {
			if (item.role === "user") return userReading(item.content, reader);
			if (item.role !== "assistant") return opaque(item);
			const text = textsOf(item.content).join("\n");
			return modelReading(JSON.stringify(["assistant", text]), textDraft("text", text, reader));
		}
		switch (item.type) {
			case "reasoning":
				return modelReading("", readReasoning(item, reader));
			case "function_call": {
				const draft = callDraft(item.callId, item.name, argumentsOf(item.arguments), reader);
				return modelReading(JSON.stringify(["call", item.callId]), draft);
			}
			case "function_call_result": {
				const { callId, output } = item;
				const content = isRecord(output) && "text" in output ? output.text : output;
				const draft = resultDraft(callId, content, item.status === "incomplete", reader);
				const identity = JSON.stringify(["result", callId]);
				return { identity, units: [{ author: "tool", items: [{ draft, part: 0 }] }] };
			}
			default:
				return opaque(item);
		}
	},
	edit(item, { lostThinking, lines }) {
		const text = lines.get(0);
		if ("type" in item && item.type === "function_call_result" && text !== undefined) {
			return { ...item, output: addText(item.output, text) };
		}
		if (!lostThinking) return item;
		// OpenAI pairs an item with its reasoning by its id, and refuses the one without the other.
		const { id: _, ...rest } = item;
		return { ...rest };
	},
	note: (text) => ({ role: "user", content: text }),
};

type Result = Extract<AgentInputItem, { readonly type: "function_call_result" }>;

function addText(output: Result["output"], text: string): Result["output"] {
	if (Array.isArray(output)) return [...output, { type: "input_text", text }];
	if (typeof output === "string") return `${output}\n\n${text}`;
	if (output.type === "text") return { ...output, text: `${output.text}\n\n${text}` };
	// A single image or file has no room for a text.
	return output;
}

type Reasoning = Extract<AgentInputItem, { readonly type: "reasoning" }>;

/** Sealed reasoning is base64 of about as many bytes as its text. */
function readReasoning({ content, rawContent = [], providerData }: Reasoning, reader: TextReader): ItemDraft {
	const text = [...content, ...rawContent].map(({ text }) => text).join("\n");
	const sealed = textOf(providerData?.encryptedContent ?? providerData?.encrypted_content);
	if (text !== "" || sealed === "") return textDraft("reasoning", text, reader);
	return { type: "reasoning", tokens: Math.ceil((sealed.length * 3) / 16) };
}

function modelReading(identity: string, draft: ItemDraft): Reading {
	return { identity, units: [{ author: "model", items: [{ draft, part: 0 }] }], continues: true };
}
