/**
 * Sessions as `opencode export` writes them (github.com/sst/opencode, packages/opencode/src/cli/cmd/export.ts and
 * session/message-v2.ts): one JSON document `{info, messages: [{info, parts}]}`. A reply holds its calls with their
 * results. Parts of type `step-start`, `step-finish`, `snapshot` and `patch` are bookkeeping; a compaction is a reply with
 * `summary` set, and what it replaced stays in the file.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { amountOf, type Fields, fieldsOf, isFields, recordsOf, textOf, timeOf } from "./json.ts";
import { type Block, type Part, type ReplyFacts, says, thinks, toolCall, usageOf } from "./message-parts.ts";

export const openCodeReader: SessionReader = {
	format: "opencode",
	lists: ["messages"],
	recognise: ({ document }) =>
		typeof fieldsOf(fieldsOf(document).info).projectID === "string" &&
		recordsOf(fieldsOf(document).messages).some(({ info, parts }) => isFields(info) && Array.isArray(parts)),
	async read(draft, messages, { document }) {
		const { id, directory } = fieldsOf(fieldsOf(document).info);
		draft.identify(textOf(id), textOf(directory));
		for await (const message of messages) addMessage(draft, fieldsOf(message.info), recordsOf(message.parts));
	},
};

function addMessage(draft: Draft, info: Fields, parts: readonly Fields[]) {
	draft.turnTo(draft.place(), timeOf(fieldsOf(info.time).created));
	if (info.role === "user") return addTurn(draft, parts);
	if (info.role !== "assistant") return draft.noteUnknown("message of role", info.role);
	const text = parts.map((part) => (part.type === "text" ? textOf(part.text) : "")).join("\n");
	if (info.summary === true) return draft.summary(text);
	const blocks = parts.flatMap((part) => readBlock(draft, part));
	// A request that failed before the first part has left nothing to send.
	if (blocks.length === 0) return;
	draft.reply(blocks, textOf(info.id) || undefined, readFacts(info));
	for (const part of parts) if (part.type === "tool") addResult(draft, part);
}

/** Parts that hold nothing the model is sent. */
const BOOKKEEPING = new Set("step-start step-finish snapshot patch retry agent compaction".split(" "));

/** Adds the words of a person, then the notes of the program: contents of named files, reminders. */
function addTurn(draft: Draft, parts: readonly Fields[]) {
	const sent = parts.filter(({ ignored, type }) => ignored !== true && !BOOKKEEPING.has(textOf(type)));
	const isNote = ({ synthetic, type }: Fields) => synthetic === true || type === "subtask";
	const words = sent.filter((part) => !isNote(part)).flatMap((part) => readPart(draft, part));
	const notes = sent.filter(isNote).flatMap((part) => readPart(draft, part));
	if (words.length > 0) draft.user(words);
	if (notes.length > 0) draft.aside(notes);
}

/** The text of a file is in a note next to it; a picture is sent itself. */
function readPart(draft: Draft, part: Fields): readonly Part[] {
	if (part.type !== "file") return draft.parts([part]);
	if (textOf(part.mime).startsWith("image/")) return [{ type: "image", data: "", mimeType: "image/png" }];
	return [];
}

function readBlock(draft: Draft, part: Fields): readonly Block[] {
	const { type, text, metadata } = part;
	if (type === "text") return says(textOf(text));
	if (type === "reasoning") return thinks(textOf(text), sealOf(metadata));
	if (type === "tool") {
		const { input } = fieldsOf(part.state);
		return [toolCall(callId(part), textOf(part.tool), input)];
	}
	if (!BOOKKEEPING.has(textOf(type)) && type !== "file") draft.noteUnknown("part of kind", type, "left out");
	return [];
}

const callId = ({ callID, id }: Fields): string => textOf(callID) || textOf(id);

/** Anthropic's signature, under the name of the provider. */
function sealOf(metadata: unknown): string {
	const { signature, redactedData } = fieldsOf(fieldsOf(metadata).anthropic);
	return textOf(signature) || textOf(redactedData);
}

/** A call without a result was cut off. An output that opencode pruned is sent as a line that says so. */
function addResult(draft: Draft, part: Fields) {
	const { status, output, error, attachments } = fieldsOf(part.state);
	if (status !== "completed" && status !== "error") return;
	const text = textOf(status === "error" ? error : output);
	const pictures = recordsOf(attachments).flatMap((each) => readPart(draft, each));
	draft.result(callId(part), [{ type: "text", text }, ...pictures], status === "error");
}

/** `input` leaves out what the cache served or was written to it. */
function readFacts({ providerID, modelID, tokens }: Fields): ReplyFacts {
	const provider = textOf(providerID);
	const { input, output, reasoning, cache } = fieldsOf(tokens);
	const { read, write } = fieldsOf(cache);
	return {
		api: provider === "anthropic" ? "anthropic-messages" : "openai-completions",
		provider,
		model: textOf(modelID),
		usage: usageOf({ input, cached: read, written: write, output: amountOf(output) + amountOf(reasoning) }),
	};
}
