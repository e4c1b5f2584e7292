/**
 * Gemini CLI's chats, `tmp/PROJECT/chats/session-*`: one JSON document with `messages`, or in later versions a log of
 * lines, where a message written again replaces its earlier copy, `$set: {messages}` replaces all of them and
 * `$rewindTo` drops a message and those after it (github.com/google-gemini/gemini-cli,
 * packages/core/src/services/chatRecordingTypes.ts and chatRecordingService.ts). The results of a reply's calls stand
 * in the reply.
 */
import type { Draft, SessionReader } from "./draft.ts";
import { amountOf, type Fields, fieldsOf, isFields, recordsOf, textOf, timeOf } from "./json.ts";
import {
	callIds,
	inclusiveUsage,
	joinText,
	type Part,
	type ReplyFacts,
	says,
	thinks,
	toolCall,
} from "./message-parts.ts";

export const geminiReader: SessionReader = {
	format: "gemini-cli",
	lists: ["messages"],
	recognise: ({ lines, document }) =>
		[fieldsOf(document), ...lines].some(
			({ sessionId, projectHash }) => typeof sessionId === "string" && typeof projectHash === "string",
		),
	async read(draft, entries, { document, lines }) {
		const { sessionId } = fieldsOf(document ?? lines[0]);
		draft.identify(textOf(sessionId), "");
		const log: Log = new Map();
		const isDocument = Array.isArray(fieldsOf(document).messages);
		for await (const entry of entries) {
			// In a document only a reply is written again; other messages may have any id, or none.
			if (isDocument) addTo(draft, log, entry, entry.type === "gemini" ? "" : `${draft.place()} `);
			else applyEntry(draft, log, entry);
		}
		for (const say of log.values()) say();
	},
};

/** The entries of each message, by its id. A map keeps the place of what is written again. */
type Log = Map<string, () => void>;

function addTo(draft: Draft, log: Log, message: Fields, prefix = "") {
	const id = textOf(message.id) || `message ${log.size}`;
	const say = draft.later(() => addMessage(draft, message, id));
	log.set(prefix + id, say);
}

function applyEntry(draft: Draft, log: Log, entry: Fields) {
	if (typeof entry.$rewindTo === "string") rewind(log, entry.$rewindTo);
	else if (isFields(entry.$set)) {
		if (!Array.isArray(entry.$set.messages)) return;
		log.clear();
		for (const message of recordsOf(entry.$set.messages)) addTo(draft, log, message);
	} else if (typeof entry.id === "string") addTo(draft, log, entry);
}

function rewind(log: Log, target: string) {
	let isDropped = !log.has(target);
	for (const id of [...log.keys()]) {
		isDropped ||= id === target;
		if (isDropped) log.delete(id);
	}
}

/** Entries that were only shown to the user: errors, warnings, hints. */
const SHOWN = new Set(["info", "warning", "error"]);

function addMessage(draft: Draft, message: Fields, id: string) {
	const { type } = message;
	draft.turnTo(draft.place(), timeOf(message.timestamp));
	const content = readContent(draft, message.content);
	if (type === "gemini") addReply(draft, message, content, id);
	else if (type === "user" && content.length > 0) draft.user(content);
	else if (type !== "user" && !SHOWN.has(textOf(type))) draft.noteUnknown("message of kind", type);
}

/** A text, a part, or a list of parts. */
function readContent(draft: Draft, content: unknown): readonly Part[] {
	return draft.parts(isFields(content) ? [content] : content);
}

function addReply(draft: Draft, message: Fields, content: readonly Part[], id: string) {
	const calls = recordsOf(message.toolCalls);
	const thoughts = recordsOf(message.thoughts).flatMap(({ subject, description }) =>
		thinks([textOf(subject), textOf(description)].filter((text) => text !== "").join("\n")),
	);
	const made = calls.map((call, i) =>
		toolCall(textOf(call.id) || `${id}-${i}`, textOf(call.name), call.args),
	);
	const ids = callIds(made);
	draft.reply([...thoughts, ...says(joinText(content)), ...made], undefined, readFacts(message));
	for (const [i, call] of calls.entries()) {
		const shown = readResult(draft, call);
		const isError = call.status === "error" || call.status === "cancelled";
		if (shown) draft.result(ids[i] ?? "", shown, isError);
	}
}

/** `input` counts what the cache served, and `output` leaves thoughts out. */
function readFacts({ model, tokens }: Fields): ReplyFacts {
	const { input, cached, output, thoughts } = fieldsOf(tokens);
	const usage = inclusiveUsage(input, cached, amountOf(output) + amountOf(thoughts));
	return { api: "google-generative-ai", provider: "google", model: textOf(model), usage };
}

/** `result` is what the model was sent, in the parts of a function response; undefined for a call that was cut off. */
function readResult(draft: Draft, { result }: Fields): readonly Part[] | undefined {
	if (result === undefined || result === null) return undefined;
	const parts = isFields(result) ? [result] : result;
	if (!Array.isArray(parts)) return readContent(draft, parts);
	return parts.flatMap((part): readonly Part[] => {
		const { functionResponse } = fieldsOf(part);
		if (!isFields(functionResponse)) return readContent(draft, [part]);
		return [{ type: "text", text: responseText(functionResponse.response) }];
	});
}

/** The text of a function's response: its output or error, and any other object as JSON. */
export function responseText(response: unknown): string {
	const { output, error } = fieldsOf(response);
	const text = output ?? error;
	return typeof text === "string" ? text : JSON.stringify(response ?? {});
}
