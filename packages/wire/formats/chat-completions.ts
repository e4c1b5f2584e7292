/** The chat completions API, as OpenAI began it and many providers speak it. */
import { isRecord, textOf, type UnknownRecord } from "#basics";
import type { CallDraft, Entry, PlacedDraft, TextReader, WireFormat } from "./wire-format.ts";
import {
	argumentsOf,
	callDraft,
	callIdentity,
	contentTokens,
	drawnIdOf,
	element,
	FRAMING,
	opaque,
	partsOf,
	recordsOf,
	resultEntry,
	sumCounts,
	textBlock,
	textDraft,
	userEntry,
	userMessage,
} from "./wire-format.ts";

/** Keys under which providers send thinking, and some want it back. */
const REASONING = ["reasoning_content", "reasoning", "reasoning_details"];

export const chatCompletions: WireFormat = {
	list: "messages",
	readEntry(entry, reader) {
		if (!isRecord(entry)) return undefined;
		if (entry.role === "assistant") return readAnswer(entry, reader);
		if (entry.role === "tool") return resultEntry(textOf(entry.tool_call_id), entry.content, false, reader);
		return entry.role === "user" ? userEntry(entry.content, reader) : opaque(entry, reader);
	},
	heldBy: () => undefined,
	keepsLoopThinking: () => true,
	noteEntry: userMessage,
	joins: "texts",
	resultContent: "content",
	resultText: textBlock,
	boundKeys: [],
	prices: { read: 0.1, write: 1 },
	reportedInput: (usage) => sumCounts(usage, ["prompt_tokens"]),
};

function readAnswer(entry: UnknownRecord, reader: TextReader): Entry {
	const calls = entry.tool_calls;
	if (calls !== undefined && calls !== null && !isCalls(calls)) return opaque(entry, reader);
	if (entry.function_call !== undefined || entry.audio !== undefined) return opaque(entry, reader);
	const items: PlacedDraft[] = [];
	for (const key of REASONING) {
		const thinking = entry[key];
		if (thinking === undefined || thinking === null || thinking === "") continue;
		const text = typeof thinking === "string" ? thinking : JSON.stringify(thinking);
		const tokens = reader.countTokens(text) + FRAMING;
		items.push({ draft: { type: "reasoning", tokens }, place: { type: "member", key } });
	}
	const said = partsOf(entry.content);
	if (said.some((text) => text !== "")) {
		const tokens = contentTokens(entry.content, reader);
		const isClosing = recordsOf(calls).length === 0;
		items.push({ draft: textDraft(said, tokens, isClosing), place: { type: "member", key: "content" } });
	}
	const drafts = recordsOf(calls).map((call) => readCall(call, reader));
	items.push(...drafts.map((draft, index) => ({ draft, place: element("tool_calls", index) })));
	const identity = JSON.stringify(["assistant", said, drafts.map(callIdentity)]);
	return { identity, ...drawnIdOf(items), drafts: [{ author: "model", items }] };
}

function isCalls(calls: unknown): boolean {
	return Array.isArray(calls) && calls.every((call) => isRecord(call) && typeof call.id === "string");
}

function readCall(call: UnknownRecord, reader: TextReader): CallDraft {
	const called = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : {};
	const args = argumentsOf(called.arguments ?? called.input);
	return callDraft(textOf(call.id), textOf(called.name), args, reader);
}
