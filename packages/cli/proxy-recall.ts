/** Recalls of agents behind the proxy: the search and the pages of pi's recall, over a conversation of any API. */
import type { Item } from "#core/transcript";
import { answerRecall, type CountTokens, type HostMessage } from "#pi";
import type { AnswerRecall, RecallSource } from "#proxy";

/** Creates the answerer of recalls. Its pages have at most 4,000 tokens as `count` counts them. */
export function createRecallAnswerer(count: CountTokens): AnswerRecall {
	return (source, query, page) => {
		const { graph, view } = source;
		const messages = graph.messages.map(({ items }) => hostMessage(source, items));
		const context = { graph, view, messages };
		return answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, count).text;
	};
}

type ModelMessage = HostMessage & { readonly role: "assistant" };

/** The facts about a message of pi besides its content; no recall shows it. */
const unsaid: Omit<ModelMessage, "content"> = {
	...{ role: "assistant", api: "", provider: "", model: "", stopReason: "stop", timestamp: 0 },
	usage: {
		...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
	},
};

/** A message in pi's form, with a block for each item. */
function hostMessage(source: RecallSource, items: readonly Item[]): HostMessage {
	const [first] = items;
	const text = first ? source.textOf(first) : "";
	switch (first?.type) {
		case "text":
		case "reasoning":
		case "call":
			return { ...unsaid, content: items.map((item) => blockOf(source, item)) };
		case "result": {
			const { callId: toolCallId, isError } = first;
			const content = [{ type: "text" as const, text }];
			return { role: "toolResult", toolCallId, toolName: "", content, isError, timestamp: 0 };
		}
		default:
			return { role: "user", content: text, timestamp: 0 };
	}
}

function blockOf(source: RecallSource, item: Item): ModelMessage["content"][number] {
	if (item.type === "call") {
		return { type: "toolCall", id: item.callId, name: item.tool, arguments: { ...item.arguments } };
	}
	const text = source.textOf(item);
	return item.type === "reasoning" ? { type: "thinking", thinking: text } : { type: "text", text };
}
