/**
 * An agent that holds a session in the form of an API, as real agents do: it keeps everything, moves its cache marker to
 * the end, and sends answers back with the signatures that they came with.
 */

import { recordsOf } from "#basics";
import type { HostMessage } from "#pi/codec";
import { itemId, type Refusal, type Rule } from "#testing";
import { anthropicRules, completionsRules, responsesRules } from "#testing/provider-rules";
import { findStaleThinking } from "#testing/thinking";
import {
	type Answer,
	type Block,
	blocksOf,
	type Fields,
	type ToolResult,
	textOf,
	userText,
	wordsOf,
} from "./recorded-words.ts";
import { composers, isReasoned, type WireApi } from "./wire-answers.ts";

const endpoints: Readonly<Record<WireApi, { readonly path: string; readonly rules: readonly Rule[] }>> = {
	anthropic: { path: "/v1/messages", rules: anthropicRules },
	responses: { path: "/v1/responses", rules: responsesRules },
	completions: { path: "/v1/chat/completions", rules: completionsRules },
};

export interface AgentHabits {
	/** Calls are counted, so that their ids come back in other conversations. */
	readonly countsIds?: boolean | undefined;
	/** The provider searches the web in some answers, and the agent searches for a tool before its first call of it. */
	readonly searches?: boolean | undefined;
}

/** One answer in so many holds a web search of the provider's. */
const SEARCHED = 8;

export function createWireAgent(
	api: WireApi,
	model: string,
	{ countsIds = api === "completions", searches = false }: AgentHabits = {},
) {
	const entries: Fields[] = [];
	/** Wire ids by recorded id: recorded ones repeat, and are of other forms. */
	const ids = new Map<string, string>();
	const open = new Set<string>();
	let answers = 0;
	let hasTool = !searches || api !== "anthropic";

	/** Claude Code ends some of its requests with a system message, and sends it again in its place. */
	function remind() {
		if (api === "anthropic" && answers % 4 === 3 && entries.at(-1)?.role === "user") {
			entries.push({ role: "system", content: `Reminder ${answers}.` });
		}
	}

	function settle() {
		for (const id of open) addResult(id, [{ type: "text", text: "aborted" }], true);
		open.clear();
	}

	function addResult(id: string, content: ToolResult["content"], isError: boolean) {
		open.delete(id);
		if (api === "responses") {
			entries.push({ type: "function_call_output", call_id: id, output: textOf(content) });
			return;
		}
		if (api === "completions") {
			entries.push({ role: "tool", tool_call_id: id, content: textOf(content) });
			return;
		}
		const said = isError && textOf(content) === "" ? [{ type: "text", text: "failed" }] : blocksOf(content);
		const block = { type: "tool_result", tool_use_id: id, content: said, ...(isError && { is_error: true }) };
		const last = entries.at(-1);
		const joins =
			last?.role === "user" && recordsOf(last.content).every(({ type }) => type === "tool_result");
		if (last && joins)
			entries[entries.length - 1] = { ...last, content: [...recordsOf(last.content), block] };
		else entries.push({ role: "user", content: [block] });
	}

	function addUser(text: string) {
		if (text.trim() === "") return;
		// A reminder whose request was cancelled has no place in front of a user message.
		if (entries.at(-1)?.role === "system") entries.pop();
		const content = api === "responses" ? [{ type: "input_text", text }] : [{ type: "text", text }];
		entries.push({ ...(api === "responses" && { type: "message" }), role: "user", content });
	}

	function addAnswer(message: Answer, sent: Fields) {
		settle();
		const response = (answers++).toString(16).padStart(24, "0");
		const spoken = message.content.filter(({ type }) => type !== "thinking");
		// Agents of OpenAI's APIs send white space next to a call back as it came.
		const isNextToCall = (block: Block) => {
			const at = spoken.indexOf(block);
			return (
				api !== "anthropic" && [spoken[at - 1], spoken[at + 1]].some((next) => next?.type === "toolCall")
			);
		};
		const isSent = (block: Block) =>
			block.type === "text" && isNextToCall(block) ? block.text !== "" : wordsOf(block) !== "";
		const blocks = message.content.filter((block) => block.type === "toolCall" || isSent(block));
		if (
			!blocks.some((block) => block.type === "toolCall" || (block.type === "text" && wordsOf(block) !== ""))
		)
			return;
		const calls: string[] = [];
		for (const block of blocks) {
			if (block.type !== "toolCall") continue;
			const id =
				api === "responses"
					? `call_${response}${calls.length}`
					: itemId("toolu", response, isReasoned(blocks), calls.length);
			calls.push(countsIds ? `call_${answers}_${calls.length}` : id);
			ids.set(block.id, calls.at(-1) ?? "");
		}
		for (const id of calls) open.add(id);
		const search = searches && answers % SEARCHED === 3 ? `search ${answers}` : undefined;
		entries.push(...composers[api]({ response, blocks, calls, search }, sent));
	}

	/** The client's own search, whose result loads the tool of all later calls. */
	function searchTool() {
		const reference = { type: "tool_reference", tool_name: "read" };
		const blocks: readonly Block[] = [
			{ type: "toolCall", id: "search", name: "ToolSearch", arguments: { query: "read" } },
		];
		const id = itemId("toolu", (answers++).toString(16).padStart(24, "f"), false, 0);
		entries.push(...composers[api]({ response: "", blocks, calls: [id], search: undefined }, {}), {
			role: "user",
			content: [{ type: "tool_result", tool_use_id: id, content: [reference] }],
		});
	}

	return {
		/** The path of the endpoint, such as `/v1/messages`. */
		path: endpoints[api].path,
		/** Adds a message of a recorded session. `sent` is the body that the provider saw before an answer. */
		add(message: HostMessage, sent: Fields = {}) {
			if (message.role === "assistant") return addAnswer(message, sent);
			if (message.role === "toolResult") {
				const id = ids.get(message.toolCallId);
				if (id !== undefined && open.has(id)) addResult(id, message.content, message.isError);
				return;
			}
			settle();
			addUser(userText(message));
		},
		/** Asks for a summary with `send`, and puts it in place of everything but the answer at the end. */
		compact(send: () => void) {
			settle();
			const isAnswer = ({ role = "assistant", type }: Fields) =>
				role === "assistant" && type !== "function_call_output";
			const end = entries.findLastIndex((entry) => !isAnswer(entry));
			const kept = entries.slice(end + 1);
			addUser("Summarize what was done so far.");
			send();
			entries.length = 0;
			addUser("What was done so far: some of it.");
			entries.push(...kept);
			hasTool = !searches || api !== "anthropic";
		},
		/** The request for the next answer. */
		body() {
			settle();
			if (!hasTool) searchTool();
			hasTool = true;
			remind();
			return wrap(api, model, entries, searches);
		},
		/** The reason why a provider refuses a body, or the thinking in it that is bound to another conversation. */
		judge: (body: Fields) => judge(api, body),
	};
}

function wrap(api: WireApi, model: string, entries: readonly Fields[], isDeferred: boolean): Fields {
	const tool = { name: "read", description: "Reads a file." };
	const schema = { type: "object", properties: {} };
	if (api === "responses") {
		return {
			model,
			instructions: "You help.",
			input: [...entries],
			store: false,
			stream: true,
			tools: [{ type: "function", ...tool, parameters: schema }],
		};
	}
	if (api === "completions")
		return { model, messages: [{ role: "system", content: "You help." }, ...entries], stream: true };
	return {
		...{ model, max_tokens: 32_000, system: [{ type: "text", text: "You help." }] },
		tools: [{ ...tool, input_schema: schema, ...(isDeferred && { defer_loading: true }) }],
		...{ thinking: { type: "adaptive" }, messages: marked(entries), stream: true },
	};
}

/** The cache marker stands on the last block of the last user message, and nowhere else. */
function marked(entries: readonly Fields[]): readonly Fields[] {
	const index = entries.findLastIndex(({ role }) => role === "user");
	const last = entries[index];
	if (!last) return entries;
	const blocks = recordsOf(last.content);
	const content = [...blocks.slice(0, -1), { ...blocks.at(-1), cache_control: { type: "ephemeral" } }];
	return entries.with(index, { ...last, content });
}

function judge(api: WireApi, body: Fields): string | undefined {
	const refusal: Refusal | undefined = endpoints[api].rules.map((rule) => rule(body)).find((found) => found);
	if (refusal) return refusal.message;
	if (api === "completions") return undefined;
	const [stale] = findStaleThinking(api, body);
	return stale && `${stale.path}: ${stale.reason}`;
}
