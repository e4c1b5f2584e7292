/** Small conversations of the Messages API, and a projector that counts a token for every four characters. */
import { createRecallIndex } from "#core/recall";
import type { AnswerRecall } from "../answer-own-tools.ts";
import {
	createProjector,
	type ProjectedRequest,
	type Projector,
	type ProjectorOptions,
} from "../enforce/projector.ts";
import { findEndpoint } from "../formats/formats.ts";
import type { TextReader } from "../formats/wire-format.ts";
import { type ConversationStore, createMemoryStore } from "../pass-store.ts";

export const quarters: TextReader = {
	countTokens: (text) => Math.ceil(text.length / 4),
	digestCall: () => ({ lines: [], paths: [] }),
	digestOutput: () => ({ lines: [], paths: [] }),
};

/** Gives back the texts of the episode, part or file that a query names, as they are. */
const answerRecall: AnswerRecall = ({ graph, textOf }, query) => {
	const index = createRecallIndex(graph);
	const found = index.find(query) ?? index.findPath(query);
	return found ? found.parts.flatMap(({ items }) => items.map(textOf)).join("\n") : "unknown";
};

/** The options that the host gives the engine of a proxy here. */
const smallHost = {
	reader: quarters,
	tools: { read: { effect: "reads", output: "intermediate" } },
	answerRecall,
	today: () => "2026-11-28",
} as const;

export function smallProjector(
	budget: number,
	store: ConversationStore = createMemoryStore(),
	options: Partial<ProjectorOptions> = {},
): Projector {
	return createProjector({
		...{ ...smallHost, budget, store },
		warn: (line) => {
			throw new Error(line);
		},
		...options,
	});
}

/** Projects a body given as a value or as bytes. Throws when it is not understood. */
export function projectBody(
	projector: Projector,
	body: object | Buffer,
	path = "/v1/messages",
): ProjectedRequest {
	const endpoint = findEndpoint(path);
	if (!endpoint) throw new Error(`no endpoint: ${path}`);
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
	return projector.project(endpoint, bytes);
}

export interface Exchange {
	readonly name: string;
	readonly input: object;
	readonly output: string;
}

/** A session in the form of an API. */
export interface WireForm {
	readonly path: string;
	/** The key of the list that holds the session. */
	readonly list: string;
	/** The name that an agent of this API gives a tool of ours. */
	readonly named: (tool: string) => string;
	readonly exchange: (id: string, exchange: Exchange) => readonly object[];
}

export const wireForms: Readonly<Record<"messages" | "responses" | "completions", WireForm>> = {
	messages: {
		path: "/v1/messages",
		list: "messages",
		named: (tool) => `mcp__cwl__${tool}`,
		exchange: (id, { name, input, output }) => [
			{ role: "assistant", content: [{ type: "tool_use", id, name, input }] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
		],
	},
	responses: {
		path: "/v1/responses",
		list: "input",
		named: (tool) => `mcp__cwl__${tool}`,
		exchange: (id, { name, input, output }) => [
			{ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) },
			{ type: "function_call_output", call_id: id, output: `[{"type":"text","text":"${output}"}]` },
		],
	},
	completions: {
		path: "/v1/chat/completions",
		list: "messages",
		named: (tool) => `cwl_${tool}`,
		exchange: (id, { name, input, output }) => {
			const called = { name, arguments: JSON.stringify(input) };
			return [
				{ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: called }] },
				{ role: "tool", tool_call_id: id, content: output },
			];
		},
	},
};

/** A session of the Messages API in which each exchange reads one file of `size` characters; `opening` is the first user message. */
export function readingSession(exchanges: number, size = 400, opening = "Fix the tests."): object {
	const messages: object[] = [{ role: "user", content: opening }];
	for (let n = 1; n <= exchanges; n += 1) {
		const call = { type: "tool_use", id: `toolu_${n}`, name: "read", input: { path: `src/part${n}.ts` } };
		const content = `${n} `.repeat(size).slice(0, size);
		messages.push(
			{ role: "assistant", content: [{ type: "text", text: `I read part ${n}.` }, call] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content }] },
		);
	}
	return { model: "m", max_tokens: 1_000, messages };
}
