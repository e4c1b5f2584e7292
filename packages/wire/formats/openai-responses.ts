/** The Responses API of OpenAI (platform.openai.com/docs/api-reference/responses). */
import { isRecord, textOf, type UnknownRecord } from "#basics";
import type { Entry, ItemDraft, TextReader, WireFormat } from "./wire-format.ts";
import {
	argumentsOf,
	callDraft,
	callIdentity,
	contentTokens,
	isDrawnId,
	opaque,
	opaqueTokens,
	partsOf,
	plainJson,
	readReasoning,
	recordsOf,
	resultEntry,
	single,
	sumCounts,
	textDraft,
	userEntry,
} from "./wire-format.ts";

/** Types of calls, and the key of what they carry. */
const CALLS: ReadonlyMap<unknown, string> = new Map([
	["function_call", "arguments"],
	["custom_tool_call", "input"],
	["local_shell_call", "action"],
	["shell_call", "action"],
	["apply_patch_call", "operation"],
]);
const RESULTS = new Set<unknown>([...CALLS.keys()].map((type) => `${type}_output`));

/** Calls that the provider itself made and answered. */
const PROVIDER_CALLS = new Set<unknown>([
	"web_search_call",
	"file_search_call",
	"code_interpreter_call",
	"image_generation_call",
	"mcp_call",
]);
/** Items of the agent's that have no role. Outputs are the agent's too, unless the provider executed the call. */
const AGENT_ITEM = /_(?:output|response|reference|tools)$|^compaction/;

/** Returns true for an item of the model's answer. */
function isModelItem({ type, execution }: UnknownRecord): boolean {
	return execution === "server" || type === "mcp_list_tools" || !AGENT_ITEM.test(textOf(type));
}

/** A call that the provider's program makes belongs to that program, and no pass takes it. */
function isProgrammatic({ caller }: UnknownRecord): boolean {
	return isRecord(caller) && caller.type !== "direct";
}

export const openaiResponses: WireFormat = {
	list: "input",
	system: "instructions",
	readEntry(entry, reader) {
		if (!isRecord(entry)) return undefined;
		const callKey = CALLS.get(entry.type);
		if (callKey !== undefined && !isProgrammatic(entry)) return readCall(entry, callKey, reader);
		if (RESULTS.has(entry.type))
			return resultEntry(textOf(entry.call_id), entry.output, hasFailed(entry.output), reader);
		if (entry.type === "reasoning") return readThought(entry, reader);
		if (entry.type === undefined || entry.type === "message") return readMessage(entry, reader);
		if (PROVIDER_CALLS.has(entry.type))
			return modelEntry(plainJson(entry), { type: "text", tokens: opaqueTokens(entry, reader) });
		return isModelItem(entry) ? readHeld(entry, reader) : opaque(entry, reader);
	},
	heldBy: (options) =>
		["previous_response_id", "conversation"].find(
			(key) => typeof options[key] === "string" || isRecord(options[key]),
		),
	keepsLoopThinking: () => false,
	noteEntry: (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] }),
	resultContent: "output",
	resultText: (text) => ({ type: "input_text", text }),
	// OpenAI pairs an item with its reasoning by its id, and refuses the one without the other.
	boundKeys: ["id"],
	prices: { read: 0.1, write: 1 },
	reportedInput: (usage) => sumCounts(usage, ["input_tokens"]),
};

function readMessage(entry: UnknownRecord, reader: TextReader): Entry {
	const { role, content } = entry;
	if (role === "user") return userEntry(content, reader);
	if (role !== "assistant") return opaque(entry, reader);
	const draft = textDraft(partsOf(content), contentTokens(content, reader), false);
	return modelEntry(JSON.stringify([role, partsOf(content)]), draft);
}

function readCall(entry: UnknownRecord, key: string, reader: TextReader): Entry {
	const callId = textOf(entry.call_id);
	const tool = textOf(entry.name) || textOf(entry.type).replace(/_call$/, "");
	const draft = callDraft(callId, tool, argumentsOf(entry[key]), reader);
	const identity = JSON.stringify(["call", callIdentity(draft)]);
	return { ...modelEntry(identity, draft), ...(isDrawnId(callId) && { drawnId: callId }) };
}

/** The API has no mark for a failed call: Codex writes the exit code at the beginning of the output or into its JSON. */
function hasFailed(output: unknown): boolean {
	const text = typeof output === "string" ? output : "";
	const code =
		/^(?:Exit code: |[\s\S]{0,200}?Process exited with code )(\d+)/.exec(text) ??
		/"exit_code":\s*(\d+)/.exec(text);
	return code !== null && code[1] !== "0";
}

function readThought(entry: UnknownRecord, { countTokens }: TextReader): Entry {
	const seal = textOf(entry.encrypted_content);
	const said = recordsOf(entry.summary).map(({ text }) => textOf(text));
	const read = modelEntry("", readReasoning(countTokens(said.join("\n")), "encrypted", seal));
	return { ...read, ...(seal !== "" && { seal }) };
}

/** An item of the answer that no pass takes. It belongs to the reasoning before it all the same. */
function readHeld(entry: UnknownRecord, reader: TextReader): Entry {
	const draft = { author: "model", items: [], uncounted: opaqueTokens(entry, reader) } as const;
	return { identity: plainJson(entry), drafts: [draft], continues: true };
}

function modelEntry(identity: string, draft: ItemDraft): Entry {
	return { identity, drafts: [single("model", draft)], continues: true };
}
