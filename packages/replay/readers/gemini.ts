/**
 * Gemini CLI's chats, `tmp/PROJECT/chats/session-*`: one JSON document with `messages`, or in later versions a log of
 * lines, where a message written again replaces its earlier copy, `$set: {messages}` replaces all of them and
 * `$rewindTo` drops a message and those after it (github.com/google-gemini/gemini-cli,
 * packages/core/src/services/chatRecordingTypes.ts and chatRecordingService.ts). The results of a reply's calls stand
 * in the reply.
 */
import { type Draft, joinText, type Part, type SessionReader, says, thinks, toolCall } from "./draft.ts";
import { type Fields, fieldsOf, isFields, recordsOf, textOf, timeOf } from "./json.ts";

export const geminiReader: SessionReader = {
	format: "gemini-cli",
	lists: ["messages"],
	recognise: ({ lines, document }) =>
		[fieldsOf(document), ...lines].some(
			({ sessionId, projectHash }) => typeof sessionId === "string" && typeof projectHash === "string",
		),
	async read(draft, entries, { document }) {
		if (Array.isArray(fieldsOf(document).messages)) {
			// No message of a document replaces another one, whatever their ids are.
			for await (const message of entries) addMessage(draft, message, idOf(message, draft.place()));
			return;
		}
		const log: Log = new Map();
		for await (const entry of entries) applyEntry(draft, log, entry);
		for (const say of log.values()) say();
	},
};

/** The entries of each message, by its id. A map keeps the place of what is written again. */
type Log = Map<string, () => void>;

function applyEntry(draft: Draft, log: Log, entry: Fields) {
	const add = (message: Fields) => {
		const id = idOf(message, log.size);
		log.set(
			id,
			draft.later(() => addMessage(draft, message, id)),
		);
	};
	if (typeof entry.$rewindTo === "string") rewind(log, entry.$rewindTo);
	else if (isFields(entry.$set)) {
		if (!Array.isArray(entry.$set.messages)) return;
		log.clear();
		recordsOf(entry.$set.messages).forEach(add);
	} else if (typeof entry.id === "string") add(entry);
}

function idOf({ id }: Fields, place: number): string {
	return textOf(id) || `message ${place}`;
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
	else if (type !== "user" && !SHOWN.has(textOf(type)))
		draft.note(`message of kind ${JSON.stringify(type)}: skipped`);
}

/** A text, a part, or a list of parts. */
function readContent(draft: Draft, content: unknown): readonly Part[] {
	return draft.parts(isFields(content) ? [content] : content);
}

function addReply(draft: Draft, message: Fields, content: readonly Part[], id: string) {
	const calls = recordsOf(message.toolCalls);
	const ids = calls.map((call, index) => textOf(call.id) || `${id}-${index}`);
	const thoughts = recordsOf(message.thoughts).flatMap(({ subject, description }) =>
		thinks([textOf(subject), textOf(description)].filter((text) => text !== "").join("\n")),
	);
	const made = calls.map(({ name, args }, i) => toolCall(ids[i] ?? "", textOf(name), args));
	draft.reply([...thoughts, ...says(joinText(content)), ...made]);
	for (const [i, call] of calls.entries()) {
		const shown = readResult(draft, call);
		const isError = call.status === "error" || call.status === "cancelled";
		if (shown) draft.result(ids[i] ?? "", shown, isError);
	}
}

/** `result` is what the model was sent, in the parts of a function response; undefined for a call that was cut off. */
function readResult(draft: Draft, { result }: Fields): readonly Part[] | undefined {
	if (result === undefined || result === null) return undefined;
	const parts = isFields(result) ? [result] : result;
	if (!Array.isArray(parts)) return readContent(draft, parts);
	return parts.flatMap((part): readonly Part[] => {
		const { functionResponse } = fieldsOf(part);
		if (!isFields(functionResponse)) return readContent(draft, [part]);
		const response = fieldsOf(functionResponse.response);
		const output = response.output ?? response.error;
		return [{ type: "text", text: typeof output === "string" ? output : JSON.stringify(response) }];
	});
}
