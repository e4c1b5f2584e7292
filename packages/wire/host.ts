/** The parts that the engine needs of its host: the tokenizer, the tools that agents have, and the pages of a recall. */
import type { Item } from "#core/transcript";
import { defaultToolTable } from "#pi";
import { type Answer, digestArguments, digestOutput, type HostMessage, loadTokenCounter } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { answerRecall } from "#pi/recall";
import { budgetTokens } from "#pi/settings";
import { DELIMITER_ANSWER, RECALL_ANSWER, type RecallSource } from "./answer-own-tools.ts";

/** The most tokens that an automatic budget chooses. */
export function automaticBudget(): number {
	return budgetTokens({ type: "auto" }, undefined);
}

/** Loads the tokenizer, unless there is another counter, and what goes with it. */
export async function loadHost(counter?: (text: string) => number) {
	const countTokens = counter ?? (await loadTokenCounter());
	return {
		reader: { countTokens, digestCall: digestArguments, digestOutput },
		tools: defaultToolTable,
		/** The search and the pages of pi's recall, over a conversation of any API. A page has at most 4,000 tokens. */
		answerRecall(source: RecallSource, query: string, page: number): string {
			const { graph, view } = source;
			const messages = graph.messages.map(({ items }) => hostMessage(source, items));
			const context = { graph, view, messages };
			return answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, countTokens)
				.text;
		},
	};
}

/** The tools that a model may be offered, as JSON Schema. The engine writes the answers into the next request. */
export function ownTools() {
	return ([toolWords.delimiter, toolWords.recall] as const).map(({ name, description, parameters }) => ({
		name: `cwl_${name}`,
		description,
		parameters: {
			type: parameters.type,
			properties: { ...parameters.properties },
			required: [...parameters.required],
		},
		answer: name === "recall" ? RECALL_ANSWER : DELIMITER_ANSWER,
	}));
}

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };
const unknownModel = { api: "unknown", provider: "unknown", model: "unknown", usage: noUsage } as const;

/** A message in pi's form, with a block for each item. */
function hostMessage(source: RecallSource, items: readonly Item[]): HostMessage {
	const [first] = items;
	const text = first ? source.textOf(first) : "";
	switch (first?.type) {
		case "text":
		case "reasoning":
		case "call":
			return {
				role: "assistant",
				...unknownModel,
				stopReason: "stop",
				timestamp: 0,
				content: items.map((item) => blockOf(source, item)),
			};
		case "result": {
			const { callId: toolCallId, isError } = first;
			const content = [{ type: "text" as const, text }];
			return { role: "toolResult", toolCallId, toolName: "", content, isError, timestamp: 0 };
		}
		default:
			return { role: "user", content: text, timestamp: 0 };
	}
}

function blockOf(source: RecallSource, item: Item): Answer["content"][number] {
	if (item.type === "call")
		return { type: "toolCall", id: item.callId, name: item.tool, arguments: { ...item.arguments } };
	const text = source.textOf(item);
	return item.type === "reasoning" ? { type: "thinking", thinking: text } : { type: "text", text };
}
