/** Answers of models in the shapes that pi stores for each of the four APIs: ids, signatures, sealed thinking. */

import { itemId, reasoningId, signUnbound } from "#loopback";
import type { HostMessage } from "#pi";
import { assistantMessage } from "../assistant-message.ts";
import type { Wire } from "../strict/wires.ts";

export type Answer = HostMessage & { readonly role: "assistant" };
type AnswerBlock = Answer["content"][number];

export type Said =
	| { readonly type: "text" | "thinking" | "redacted"; readonly text: string }
	| { readonly type: "call"; readonly tool: string; readonly args: Record<string, unknown> };

/** An answer whose ids are made from its `number`, so that no two answers share an id. */
export function makeAnswer(
	{ name, api, sender }: Wire,
	number: number,
	said: readonly Said[],
	stopReason: Answer["stopReason"],
	timestamp: number,
): Answer {
	const content = makers[name](said, number.toString(16).padStart(24, "0"), number);
	const { provider, model } = sender;
	return assistantMessage(content, { api, provider, model, stopReason, timestamp, responseId: `${number}` });
}

/** The block with another call id; a block that is no call stays as it is. */
export function withCallId(block: AnswerBlock, id: string): AnswerBlock {
	return block.type === "toolCall" ? { ...block, id } : block;
}

type Maker = (said: readonly Said[], response: string, number: number) => AnswerBlock[];

const makers: Readonly<Record<Wire["name"], Maker>> = {
	anthropic(said, response) {
		const [first] = said;
		// pi never sends blank thinking back, so no call can be held to it.
		const isReasoned = first?.type === "redacted" || (first?.type === "thinking" && first.text.trim() !== "");
		return said.map((block, at): AnswerBlock => {
			switch (block.type) {
				case "text":
					return { type: "text", text: block.text };
				case "thinking":
					return { type: "thinking", thinking: block.text, thinkingSignature: signUnbound(block.text) };
				case "redacted":
					return {
						type: "thinking",
						thinking: "[Reasoning redacted]",
						thinkingSignature: signUnbound("redacted"),
						redacted: true,
					};
				default:
					return call(itemId("toolu", response, isReasoned, at), block);
			}
		});
	},
	/** One piece of reasoning begins a response, and its items are paired with it. */
	responses(said, response) {
		const isReasoned = said[0]?.type === "thinking" || said[0]?.type === "redacted";
		const kept = said.filter(({ type }, at) => at === 0 || (type !== "thinking" && type !== "redacted"));
		return kept.map((block, at): AnswerBlock => {
			const fc = itemId("fc", response, isReasoned, at);
			switch (block.type) {
				case "call":
					return call(`call_${response}${at}|${fc}`, block);
				case "text": {
					const textSignature = JSON.stringify({ v: 1, id: itemId("msg", response, isReasoned, at) });
					return { type: "text", text: block.text, textSignature };
				}
				default: {
					const id = reasoningId(response);
					const item = { type: "reasoning", id, summary: [], encrypted_content: signUnbound(id) };
					const thinking = block.type === "redacted" ? "" : block.text;
					return { type: "thinking", thinking, thinkingSignature: JSON.stringify(item) };
				}
			}
		});
	},
	completions(said, _response, number) {
		return said.map((block, at): AnswerBlock => {
			if (block.type === "call") return call(`call_${number}_${at}`, block);
			if (block.type === "text") return { type: "text", text: block.text };
			return { type: "thinking", thinking: block.text, thinkingSignature: "reasoning_content" };
		});
	},
	/** The first call of a step carries the signature of the step. */
	google(said, _response, number) {
		const first = said.findIndex(({ type }) => type === "call");
		return said.map((block, at): AnswerBlock => {
			if (block.type === "call") {
				const made = call(`${block.tool}_${number}_${at}`, block);
				return at === first ? { ...made, thoughtSignature: "c2lnbmVk" } : made;
			}
			if (block.type === "text") return { type: "text", text: block.text };
			return { type: "thinking", thinking: block.text };
		});
	},
};

function call(
	id: string,
	{ tool, args }: Said & { readonly type: "call" },
): AnswerBlock & { readonly type: "toolCall" } {
	return { type: "toolCall", id, name: tool, arguments: args };
}
