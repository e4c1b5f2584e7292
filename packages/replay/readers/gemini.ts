/**
 * Gemini CLI's chats, `tmp/PROJECT/chats/session-*`: one JSON document with `messages`, or in later versions a log of
 * lines, where a message written again replaces its earlier copy, `$set: {messages}` replaces all of them and
 * `$rewindTo` drops a message and those after it (github.com/google-gemini/gemini-cli,
 * packages/core/src/services/chatRecordingTypes.ts and chatRecordingService.ts). The results of a reply's calls stand
 * in the reply.
 */
import {
	type Block,
	type Draft,
	openDraft,
	type Part,
	says,
	textPart,
	thinks,
	toolCall,
} from "./composing.ts";
import { readEntries } from "./entries.ts";
import { type Fields, isFields, parseFields } from "./json.ts";
import { fieldsOf, joinText, listOf, readArguments, textOf, timeOf } from "./parts.ts";
import type { Opening, RecordedSession, SessionReader } from "./session-reader.ts";

export const geminiReader: SessionReader = {
	format: "gemini-cli",
	recognise,
	read,
	telltale: /"projectHash"\s*:/,
};

function recognise({ firstLines, document }: Opening): boolean {
	return [document, ...firstLines.map(parseFields)].some(
		(value) =>
			isFields(value) && typeof value.sessionId === "string" && typeof value.projectHash === "string",
	);
}

async function read({ path, document }: Opening): Promise<RecordedSession> {
	if (isFields(document) && Array.isArray(document.messages)) {
		const draft = openDraft(path, "#");
		for (const [place, message] of document.messages.entries()) addMessage(draft, message, place);
		return draft.finish(geminiReader.format);
	}
	const draft = openDraft(path, ":");
	const messages = new Map<string, Placed>();
	await readEntries(path, draft.note, (entry, line) => applyEntry(messages, entry, line));
	for (const { message, line } of messages.values()) addMessage(draft, message, line);
	return draft.finish(geminiReader.format);
}

interface Placed {
	readonly message: Fields;
	readonly line: number;
}

/** A map keeps the place of what is written again. */
function applyEntry(messages: Map<string, Placed>, entry: Fields, line: number) {
	if (typeof entry.$rewindTo === "string") rewind(messages, entry.$rewindTo);
	else if (isFields(entry.$set)) {
		if (!Array.isArray(entry.$set.messages)) return;
		messages.clear();
		for (const message of entry.$set.messages.map(fieldsOf))
			messages.set(textOf(message.id), { message, line });
	} else if (typeof entry.id === "string") messages.set(entry.id, { message: entry, line });
}

function rewind(messages: Map<string, Placed>, target: string) {
	let isDropped = !messages.has(target);
	for (const id of [...messages.keys()]) {
		isDropped ||= id === target;
		if (isDropped) messages.delete(id);
	}
}

/** Entries that were only shown to the user: errors, warnings, hints. */
const SHOWN = new Set(["info", "warning", "error"]);

function addMessage(draft: Draft, value: unknown, place: number) {
	const message = fieldsOf(value);
	const time = timeOf(message.timestamp);
	const content = readContent(draft, message.content, place);
	if (message.type === "user") {
		if (content.length > 0) draft.user(content, time);
	} else if (message.type === "gemini") addReply(draft, message, content, time, place);
	else if (!SHOWN.has(textOf(message.type))) {
		draft.note(place, `message of kind ${JSON.stringify(message.type)}: skipped`);
	}
}

/** A text, a part, or a list of parts. */
function readContent(draft: Draft, content: unknown, place: number): readonly Part[] {
	return draft.parts(isFields(content) ? [content] : content, place);
}

function addReply(draft: Draft, message: Fields, content: readonly Part[], time: number, place: number) {
	const calls = listOf(message.toolCalls).map(fieldsOf);
	const idOf = (call: Fields, index: number) => textOf(call.id) || `${textOf(message.id)}-${index}`;
	const blocks: Block[] = [
		...listOf(message.thoughts).map(fieldsOf).flatMap(readThought),
		...says(joinText(content)),
		...calls.map((call, i) => toolCall(idOf(call, i), textOf(call.name), readArguments(call.args))),
	];
	draft.reply(blocks, time);
	for (const [i, call] of calls.entries()) {
		const shown = readResult(draft, call, place);
		if (!shown) continue;
		const isError = call.status === "error" || call.status === "cancelled";
		draft.result(idOf(call, i), shown, time, isError);
	}
}

function readThought({ subject, description }: Fields): readonly Block[] {
	return thinks([textOf(subject), textOf(description)].filter((text) => text !== "").join("\n"));
}

/** `result` is what the model was told, in the parts of a function response; undefined for a call that was cut off. */
function readResult(draft: Draft, { result }: Fields, place: number): readonly Part[] | undefined {
	if (result === undefined || result === null) return undefined;
	const parts = isFields(result) ? [result] : result;
	if (!Array.isArray(parts)) return readContent(draft, parts, place);
	return parts.flatMap((part) => {
		const { functionResponse } = fieldsOf(part);
		if (!isFields(functionResponse)) return readContent(draft, [part], place);
		return [textPart(readResponse(fieldsOf(functionResponse.response)))];
	});
}

function readResponse(response: Fields): string {
	const told = response.output ?? response.error;
	return typeof told === "string" ? told : JSON.stringify(response);
}
