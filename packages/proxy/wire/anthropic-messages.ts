/** The Messages API of Anthropic (docs.claude.com/en/api/messages). */
import { isRecord, type UnknownRecord } from "#core";
import type { Entry, MessageDraft, PlacedDraft, TextReader, WireFormat } from "./wire-format.ts";
import {
	callDraft,
	callIdentity,
	contentText,
	contentTokens,
	drawnIdOf,
	element,
	FRAMING,
	opaque,
	resultDraft,
	resultIdentity,
	silent,
	single,
	textDraft,
	textOf,
	withoutMarkers,
} from "./wire-format.ts";

export const anthropicMessages: WireFormat = {
	list: "messages",
	system: "system",
	readEntry(entry, reader) {
		if (!isRecord(entry)) return undefined;
		const blocks = blocksOf(entry.content);
		if (!blocks) return undefined;
		if (entry.role === "assistant") return readAnswer(entry, blocks, reader);
		return entry.role === "user" ? readUser(blocks, reader) : opaque(entry, reader);
	},
	heldBy: ["previous_message_id"],
	// With adaptive thinking an answer may come without; with a thinking budget the open loop has to begin with some.
	keepsLoopThinking: ({ thinking }) => isRecord(thinking) && thinking.type === "enabled",
	noteEntry: (text) => ({ role: "user", content: text }),
	asReminder(entry) {
		const text = isRecord(entry) ? contentText(entry.content) : "";
		return text === ""
			? undefined
			: { role: "user", content: `<system-reminder>\n${text}\n</system-reminder>` };
	},
	resultContent: "content",
	resultText: (text) => ({ type: "text", text }),
	boundKeys: [],
	prices: { read: 0.1, write: 1.25 },
	inputKeys: ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
};

/** A string stands for one text block, and agents change between the two forms. */
function blocksOf(content: unknown): readonly UnknownRecord[] | undefined {
	if (typeof content === "string") return [{ type: "text", text: content }];
	return Array.isArray(content) && content.every(isRecord) ? content : undefined;
}

function readAnswer(entry: UnknownRecord, blocks: readonly UnknownRecord[], reader: TextReader): Entry {
	const items: PlacedDraft[] = [];
	const isClosing = blocks.every(({ type }) => type !== "tool_use");
	for (const [index, block] of blocks.entries()) {
		const draft = readAnswerBlock(block, reader, isClosing);
		// Calls that the provider itself makes are no pairs that can be told apart from here.
		if (!draft) return opaque(entry, reader);
		items.push({
			draft,
			place: typeof entry.content === "string" ? { type: "entry" } : element("content", index),
		});
	}
	const words = items.flatMap(({ draft }, index) =>
		draft.type === "call" ? [callIdentity(draft)] : draft.type === "text" ? [blocks[index]?.text] : [],
	);
	const identity = JSON.stringify(["assistant", ...words]);
	const seal = blocks
		.map(({ signature, data }) => textOf(signature) || textOf(data))
		.find((text) => text !== "");
	return { identity, ...drawnIdOf(items), ...(seal && { seal }), drafts: [{ author: "model", items }] };
}

function readAnswerBlock(
	block: UnknownRecord,
	reader: TextReader,
	isClosing: boolean,
): PlacedDraft["draft"] | undefined {
	const { countTokens } = reader;
	switch (block.type) {
		case "text":
			return textDraft([block.text], countTokens(textOf(block.text)) + FRAMING, isClosing);
		case "thinking":
			return { type: "reasoning", tokens: thinkingTokens(block, countTokens) };
		case "redacted_thinking":
			return { type: "reasoning", tokens: sealedTokens(textOf(block.data)) };
		case "tool_use":
			return callDraft(
				textOf(block.id),
				textOf(block.name),
				isRecord(block.input) ? block.input : {},
				reader,
			);
		default:
			return undefined;
	}
}

/** Thinking whose text is left out is known by its signature only. */
function thinkingTokens({ thinking, signature }: UnknownRecord, count: TextReader["countTokens"]): number {
	const text = textOf(thinking);
	return text === "" ? sealedTokens(textOf(signature)) : count(text) + FRAMING;
}

/** Sealed thinking is base64 of about as many bytes as its text. */
function sealedTokens(data: string): number {
	return Math.ceil((data.length * 3) / 16) + FRAMING;
}

function readUser(blocks: readonly UnknownRecord[], reader: TextReader): Entry {
	const drafts: MessageDraft[] = [];
	const [results, words]: [string[], unknown[]] = [[], []];
	let own: UnknownRecord[] = [];
	const close = () => {
		if (own.length > 0) drafts.push(single("user", { type: "user", tokens: contentTokens(own, reader) }));
		own = [];
	};
	for (const [index, block] of blocks.entries()) {
		if (block.type !== "tool_result") {
			own.push(block);
			words.push(withoutMarkers(block));
			continue;
		}
		close();
		const id = textOf(block.tool_use_id);
		const result = resultDraft(id, block.content, block.is_error === true, reader);
		drafts.push(single("tool", result, element("content", index)));
		results.push(resultIdentity(id, block.content).join());
	}
	close();
	if (drafts.length === 0) drafts.push(silent(FRAMING));
	// The results of calls that were made at once change their order when a session is resumed.
	return { identity: JSON.stringify(["user", ...results.toSorted(), ...words]), drafts };
}
