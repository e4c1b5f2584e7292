/**
 * Qwen Code's chats, `projects/FOLDER/chats/SESSION.jsonl` (github.com/QwenLM/qwen-code,
 * packages/core/src/services/chatRecordingService.ts): lines that form a tree by `uuid` and `parentUuid` as those of Claude
 * Code do, with messages in the parts of Gemini's API. A compression leaves what it replaced in the file.
 */
import { type TreeEntry, traceBranch } from "./branch.ts";
import type { Draft, SessionReader } from "./draft.ts";
import { responseText } from "./gemini.ts";
import { amountOf, type Fields, fieldsOf, isFields, recordsOf, textOf } from "./json.ts";
import { type Block, inclusiveUsage, type ReplyFacts, says, thinks, toolCall } from "./message-parts.ts";

export const qwenCodeReader: SessionReader = {
	format: "qwen-code",
	recognise: ({ lines }) =>
		lines.some(
			({ uuid, sessionId, message }) =>
				typeof uuid === "string" && typeof sessionId === "string" && Array.isArray(fieldsOf(message).parts),
		),
	async read(draft, entries) {
		const nodes: QwenNode[] = [];
		for await (const entry of entries) {
			draft.identify(textOf(entry.sessionId), textOf(entry.cwd));
			const parent = typeof entry.parentUuid === "string" ? entry.parentUuid : null;
			const id = textOf(entry.uuid) || `line ${draft.place()}`;
			nodes.push({ place: draft.place(), id, parent, say: draft.later(() => addEntry(draft, entry)) });
		}
		const branch = traceBranch(nodes, nodes.length - 1, draft.noteAt);
		for (const { say } of [...branch].reverse()) say();
	},
};

interface QwenNode extends TreeEntry {
	readonly say: () => void;
}

function addEntry(draft: Draft, entry: Fields) {
	const parts = recordsOf(fieldsOf(entry.message).parts);
	if (entry.type === "assistant") {
		const made = parts.flatMap((part, index) => readBlock(part, `${draft.place()}-${index}`));
		if (made.length > 0) draft.reply(made, `line ${draft.place()}`, readFacts(entry));
	} else if (entry.type === "user") draft.user(draft.parts(parts));
	else if (entry.type === "tool_result") addResults(draft, parts);
	else if (entry.subtype === "chat_compression") draft.summary("");
	else if (entry.type !== "system") draft.noteUnknown("entry of kind", entry.type);
}

function readBlock({ text, thought, functionCall }: Fields, place: string): readonly Block[] {
	if (!isFields(functionCall)) return thought === true ? thinks(textOf(text)) : says(textOf(text));
	const { id, name, args } = functionCall;
	return [toolCall(textOf(id) || place, textOf(name), args)];
}

function addResults(draft: Draft, parts: readonly Fields[]) {
	for (const { functionResponse } of parts) {
		if (!isFields(functionResponse)) continue;
		const { id, name, response } = functionResponse;
		const isError = fieldsOf(response).error !== undefined;
		const call = textOf(id) || (draft.openCall() ?? "");
		draft.result(call, [{ type: "text", text: responseText(response) }], isError, textOf(name));
	}
}

function readFacts({ model, usageMetadata }: Fields): ReplyFacts {
	const { promptTokenCount, cachedContentTokenCount, candidatesTokenCount, thoughtsTokenCount } =
		fieldsOf(usageMetadata);
	const output = amountOf(candidatesTokenCount) + amountOf(thoughtsTokenCount);
	const usage = inclusiveUsage(promptTokenCount, cachedContentTokenCount, output);
	return { api: "openai-completions", provider: "qwen", model: textOf(model), usage };
}
