/** The chat completions API, as OpenAI began it and many providers speak it. */
import { isRecord, type UnknownRecord } from "#core";
import type { Entry, PlacedDraft, TextReader, WireFormat } from "./wire-format.ts";
import {
	argumentsOf,
	callDraft,
	contentTokens,
	element,
	FRAMING,
	opaque,
	recordsOf,
	resultDraft,
	single,
	textOf,
	withoutMarkers,
} from "./wire-format.ts";

/** Keys under which providers send thinking, and some want it back. */
const REASONING = ["reasoning_content", "reasoning", "reasoning_details"];

export const chatCompletions: WireFormat = {
	list: "messages",
	system: [],
	tools: "tools",
	readEntry(entry, reader) {
		if (!isRecord(entry)) return undefined;
		if (entry.role === "assistant") return readAnswer(entry, reader);
		if (entry.role === "tool") return readResult(entry, reader);
		if (entry.role !== "user") return opaque(entry, reader);
		const tokens = contentTokens(entry.content, reader);
		const identity = JSON.stringify(["user", textsOf(entry.content)]);
		return { identity, drafts: [single("user", { type: "user", tokens })] };
	},
	findObstacle: () => undefined,
	keepsLoopThinking: () => true,
	noteEntry: (text) => ({ role: "user", content: text }),
	resultContent: "content",
	resultText: (text) => ({ type: "text", text }),
	boundKeys: [],
	prices: { read: 0.1, write: 1 },
	inputKeys: ["prompt_tokens"],
};

function textsOf(content: unknown): readonly unknown[] {
	if (typeof content === "string") return [content];
	return recordsOf(content).map((part) => (typeof part.text === "string" ? part.text : withoutMarkers(part)));
}

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
	const said = textsOf(entry.content);
	if (said.some((text) => text !== "")) {
		const tokens = contentTokens(entry.content, reader);
		items.push({ draft: { type: "text", tokens }, place: { type: "member", key: "content" } });
	}
	const ids: string[] = [];
	for (const [index, call] of recordsOf(calls).entries()) {
		ids.push(textOf(call.id));
		items.push({ draft: readCall(call, reader), place: element("tool_calls", index) });
	}
	return { identity: JSON.stringify(["assistant", said, ids]), drafts: [{ author: "model", items }] };
}

function isCalls(calls: unknown): boolean {
	return Array.isArray(calls) && calls.every((call) => isRecord(call) && typeof call.id === "string");
}

function readCall(call: UnknownRecord, reader: TextReader): PlacedDraft["draft"] {
	const called = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : {};
	const args = argumentsOf(called.arguments ?? called.input);
	return callDraft(textOf(call.id), textOf(called.name), args, reader);
}

function readResult(entry: UnknownRecord, reader: TextReader): Entry {
	const callId = textOf(entry.tool_call_id);
	const draft = resultDraft(callId, entry.content, false, reader);
	return { identity: JSON.stringify(["result", callId]), drafts: [single("tool", draft)] };
}
