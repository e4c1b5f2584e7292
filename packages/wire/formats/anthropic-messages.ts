/** The Messages API of Anthropic (docs.claude.com/en/api/messages). */
import { isRecord, textOf, type UnknownRecord } from "#basics";
import { memberOf, parseAt, scanObject } from "./json-bytes.ts";
import type { Entry, ItemDraft, MessageDraft, PlacedDraft, TextReader, WireFormat } from "./wire-format.ts";
import {
	callDraft,
	callIdentity,
	contentText,
	drawnIdOf,
	ENTRY,
	element,
	FRAMING,
	opaque,
	opaqueTokens,
	readReasoning,
	recordsOf,
	resultDraft,
	resultIdentity,
	silent,
	sumCounts,
	textBlock,
	textDraft,
	userDraft,
	userMessage,
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
	heldBy: ({ thread }) => (isRecord(thread) && thread.type === "continue" ? "message thread" : undefined),
	asksToHold(body) {
		const scanned = body.includes('"thread"') ? scanObject(body) : undefined;
		const thread = scanned && memberOf(scanned, "thread");
		return thread !== undefined && isRecord(parseAt(body, thread.value));
	},
	// With adaptive thinking an answer may come without; with a thinking budget the open loop has to begin with some.
	keepsLoopThinking: ({ thinking }) => isRecord(thinking) && thinking.type === "enabled",
	noteEntry: userMessage,
	asReminder(entry) {
		const text = isRecord(entry) ? contentText(entry.content) : "";
		return text === "" ? undefined : userMessage(`<system-reminder>\n${text}\n</system-reminder>`);
	},
	resultContent: "content",
	resultText: textBlock,
	boundKeys: [],
	prices: { read: 0.1, write: 1.25 },
	joins: "blocks",
	reportedInput(usage) {
		// The sums of an answer that the model gave in several steps, as around a tool of the provider, count the request once for
		// each. Its first step saw the request as it was sent, unless the provider made a summary first.
		const steps = recordsOf(usage.iterations);
		if (steps.some(({ type }) => type === "compaction")) return 0;
		const first = steps.find(({ type }) => type === "message" || type === "fallback_message");
		return sumCounts(first ?? usage, INPUT_KEYS);
	},
};

const INPUT_KEYS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/** A string stands for one text block, and agents change between the two forms. */
function blocksOf(content: unknown): readonly UnknownRecord[] | undefined {
	if (typeof content === "string") return [textBlock(content)];
	return Array.isArray(content) && content.every(isRecord) ? content : undefined;
}

function readAnswer(entry: UnknownRecord, blocks: readonly UnknownRecord[], reader: TextReader): Entry {
	const items: PlacedDraft[] = [];
	const words: unknown[] = [];
	let uncounted: number | undefined;
	const results = providerResults(blocks);
	const answers = new Set(results.values());
	const isClosing = blocks.every(({ type }) => type !== "tool_use");
	for (const [index, block] of blocks.entries()) {
		const result = results.get(index);
		// A provider's call and its result are one item, since neither may be sent without the other.
		const draft: ItemDraft | undefined =
			result === undefined
				? readAnswerBlock(block, reader, isClosing)
				: { type: "text", tokens: opaqueTokens([block, blocks[result]], reader) };
		if (draft?.type === "call") words.push(callIdentity(draft));
		else if (draft?.type !== "reasoning")
			words.push(block.type === "text" ? block.text : withoutMarkers(block));
		if (draft) {
			const place = element("content", ...(result === undefined ? [index] : [index, result]));
			items.push({ draft, place: typeof entry.content === "string" ? ENTRY : place });
		} else if (!answers.has(index)) {
			uncounted = (uncounted ?? 0) + opaqueTokens(block, reader);
		}
	}
	const identity = JSON.stringify(["assistant", ...words]);
	const seal = blocks
		.map(({ signature, data }) => textOf(signature) || textOf(data))
		.find((text) => text !== "");
	const author = items.length > 0 ? "model" : "host";
	const draft = { author, items, ...(uncounted !== undefined && { uncounted }) } as const;
	return { identity, ...drawnIdOf(items), ...(seal && { seal }), drafts: [draft] };
}

/**
 * The calls that the provider itself made and answered inside one message, as the index of each result by that of its call.
 * Results that load tools have to stay, and so has a call whose result comes in a later message.
 */
function providerResults(blocks: readonly UnknownRecord[]): ReadonlyMap<number, number> {
	const calls = new Map<unknown, number>();
	const pairs = new Map<number, number>();
	for (const [index, block] of blocks.entries()) {
		if (typeof block.id === "string" && block.type !== "tool_use") calls.set(block.id, index);
		const call = calls.get(block.tool_use_id);
		if (call !== undefined && !loadsTools(block)) pairs.set(call, index);
	}
	return pairs;
}

function loadsTools(block: UnknownRecord): boolean {
	return JSON.stringify(block.content ?? "").includes('"tool_reference"');
}

function readAnswerBlock(
	block: UnknownRecord,
	reader: TextReader,
	isClosing: boolean,
): ItemDraft | undefined {
	const { countTokens } = reader;
	switch (block.type) {
		case "text":
			return textDraft([block.text], countTokens(textOf(block.text)) + FRAMING, isClosing);
		case "thinking":
			return readReasoning(countTokens(textOf(block.thinking)), "signature", textOf(block.signature));
		case "redacted_thinking":
			return readReasoning(0, "signature", textOf(block.data));
		case "tool_use":
			// A call that the provider's code makes belongs to that code.
			if (isRecord(block.caller) && block.caller.type !== "direct") return undefined;
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

function readUser(blocks: readonly UnknownRecord[], reader: TextReader): Entry {
	const drafts: MessageDraft[] = [];
	const results: string[] = [];
	const words: unknown[] = [];
	let own: UnknownRecord[] = [];
	const close = () => {
		if (own.length > 0) drafts.push(userDraft(own, reader));
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
		const place = element("content", index);
		const items = [{ draft: result, place, ...(loadsTools(block) && { isHeld: true as const }) }];
		drafts.push({ author: "tool", items });
		results.push(resultIdentity(id, block.content).join());
	}
	close();
	if (drafts.length === 0) drafts.push(silent(FRAMING));
	// The results of calls that were made at once change their order when a session is resumed.
	return { identity: JSON.stringify(["user", ...results.toSorted(), ...words]), drafts };
}
