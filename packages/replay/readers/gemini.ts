/**
 * Gemini CLI's chats, `tmp/PROJECT/chats/session-*`: one JSON document with `messages`, or in later versions a log of
 * lines, where a message written again replaces its earlier copy, `$set: {messages}` replaces all of them and
 * `$rewindTo` drops a message and those after it (github.com/google-gemini/gemini-cli,
 * packages/core/src/services/chatRecordingTypes.ts and chatRecordingService.ts). The results of a reply's calls stand
 * in the reply.
 */
import { type Draft, joinText, type Part, type SessionReader, says, thinks, toolCall } from "./draft.ts";
import { type Fields, fieldsOf, isFields, parseFields, recordsOf, textOf, timeOf } from "./json.ts";
import { readEntries } from "./lines.ts";

export const geminiReader: SessionReader = {
	format: "gemini-cli",
	recognise: ({ firstLines, document }) =>
		[document, ...firstLines.map(parseFields)].some(
			(value) =>
				isFields(value) && typeof value.sessionId === "string" && typeof value.projectHash === "string",
		),
	async read(draft, { path, document }) {
		if (isFields(document) && Array.isArray(document.messages)) {
			for (const [place, message] of recordsOf(document.messages).entries())
				addMessage(draft, message, place);
			return;
		}
		const log: Log = new Map();
		await readEntries(path, draft.note, (entry, { number }) => applyEntry(log, entry, number));
		for (const { message, line } of log.values()) addMessage(draft, message, line);
	},
};

/** By id, each message and its line. A map keeps the place of what is written again. */
type Log = Map<string, { readonly message: Fields; readonly line: number }>;

function applyEntry(log: Log, entry: Fields, line: number) {
	if (typeof entry.$rewindTo === "string") rewind(log, entry.$rewindTo);
	else if (isFields(entry.$set)) {
		if (!Array.isArray(entry.$set.messages)) return;
		log.clear();
		for (const message of recordsOf(entry.$set.messages)) log.set(textOf(message.id), { message, line });
	} else if (typeof entry.id === "string") log.set(entry.id, { message: entry, line });
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

function addMessage(draft: Draft, message: Fields, place: number) {
	const { type } = message;
	const time = timeOf(message.timestamp);
	const content = readContent(draft, message.content, place);
	if (type === "gemini") addReply(draft, message, content, time, place);
	else if (type === "user" && content.length > 0) draft.user(content, time);
	else if (type !== "user" && !SHOWN.has(textOf(type)))
		draft.note(place, `message of kind ${JSON.stringify(type)}: skipped`);
}

/** A text, a part, or a list of parts. */
function readContent(draft: Draft, content: unknown, place: number): readonly Part[] {
	return draft.parts(isFields(content) ? [content] : content, place);
}

function addReply(draft: Draft, message: Fields, content: readonly Part[], time: number, place: number) {
	const calls = recordsOf(message.toolCalls);
	const ids = calls.map(({ id }, index) => textOf(id) || `${textOf(message.id)}-${index}`);
	const thoughts = recordsOf(message.thoughts).flatMap(({ subject, description }) =>
		thinks([textOf(subject), textOf(description)].filter((text) => text !== "").join("\n")),
	);
	const made = calls.map(({ name, args }, i) => toolCall(ids[i] ?? "", textOf(name), args));
	draft.reply([...thoughts, ...says(joinText(content)), ...made], time);
	for (const [i, call] of calls.entries()) {
		const shown = readResult(draft, call, place);
		const isError = call.status === "error" || call.status === "cancelled";
		if (shown) draft.result(ids[i] ?? "", shown, time, isError);
	}
}

/** `result` is what the model was sent, in the parts of a function response; undefined for a call that was cut off. */
function readResult(draft: Draft, { result }: Fields, place: number): readonly Part[] | undefined {
	if (result === undefined || result === null) return undefined;
	const parts = isFields(result) ? [result] : result;
	if (!Array.isArray(parts)) return readContent(draft, parts, place);
	return parts.flatMap((part): readonly Part[] => {
		const { functionResponse } = fieldsOf(part);
		if (!isFields(functionResponse)) return readContent(draft, [part], place);
		const response = fieldsOf(functionResponse.response);
		const output = response.output ?? response.error;
		return [{ type: "text", text: typeof output === "string" ? output : JSON.stringify(response) }];
	});
}
