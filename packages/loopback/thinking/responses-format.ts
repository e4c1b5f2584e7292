import { type Fields, objectsOf, stringOf } from "../wire/json.ts";
import { canonicalText } from "./canonical-text.ts";
import type { Part, SealedFormat, ThinkingPart } from "./conversation.ts";

/** A string input stands for one user message. */
function itemsOf(input: unknown): readonly Fields[] {
	return typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
}

function isReasoning({ type }: Fields): boolean {
	return type === "reasoning";
}

function reasoningPart(item: Fields, index: number): ThinkingPart {
	return {
		type: "thinking",
		message: index,
		block: 0,
		path: `input[${index}]`,
		itemId: stringOf(item.id),
		signature: stringOf(item.encrypted_content),
		text: objectsOf(item.summary)
			.map(({ text }) => stringOf(text))
			.join("\n"),
	};
}

/** An item as it is compared: ids and status name the item and are no content, and a string is one text part. */
function comparable(item: Fields): Fields {
	const { id: _id, status: _status, type = "message", content, ...rest } = item;
	if (typeof content !== "string") return { ...rest, type, content };
	const text = { type: item.role === "assistant" ? "output_text" : "input_text", text: content };
	return { ...rest, type, content: [text] };
}

function content(value: unknown): Part {
	return { type: "content", content: canonicalText(value) };
}

/**
 * The Responses API (developers.openai.com, "keep the prefix unchanged"). No source says how OpenAI treats a gap in the
 * reasoning; the server applies Anthropic's rule, which is the stricter reading.
 */
export const responsesFormat: SealedFormat = {
	parts: (body) => [
		content({ instructions: body.instructions ?? "", tools: objectsOf(body.tools) }),
		...itemsOf(body.input).map((item, index) =>
			isReasoning(item) ? reasoningPart(item, index) : content(comparable(item)),
		),
	],
	length: ({ input }) => itemsOf(input).length,
	mapThinking(body, change) {
		const input = itemsOf(body.input).flatMap((item, index) => {
			if (!isReasoning(item)) return [item];
			const signature = change(reasoningPart(item, index));
			return signature === undefined ? [] : [{ ...item, encrypted_content: signature }];
		});
		return { ...body, input };
	},
	append: (body, answer) => ({ ...body, input: [...itemsOf(body.input), ...answer] }),
	answer: ({ input }, from) => itemsOf(input).slice(from),
};
