/** Small conversations of the Messages API, and a projector that counts a token for every four characters. */
import { createRecallIndex } from "#core/recall";
import { type ConversationStore, createMemoryStore } from "../conversation-store.ts";
import {
	createProjector,
	type ProjectedRequest,
	type Projector,
	type ProjectorOptions,
} from "../enforce/projector.ts";
import type { AnswerRecall } from "../own-tools.ts";
import { findEndpoint } from "../wire/formats.ts";
import type { TextReader } from "../wire/wire-format.ts";

export const quarters: TextReader = {
	countTokens: (text) => Math.ceil(text.length / 4),
	digestCall: () => ({ lines: [], paths: [] }),
	digestOutput: () => ({ lines: [], paths: [] }),
};

const tools = { read: { effect: "reads", output: "intermediate" } } as const;

export function smallProjector(
	budget: number,
	store: ConversationStore = createMemoryStore(),
	options: Partial<ProjectorOptions> = {},
): Projector {
	return createProjector({
		...{ budget, reader: quarters, tools, store, answerRecall: answerWithTexts },
		warn: (line) => {
			throw new Error(line);
		},
		...options,
	});
}

/** Gives back the texts of the episode, part or file that a query names, as they are. */
export const answerWithTexts: AnswerRecall = ({ graph, textOf }, query) => {
	const index = createRecallIndex(graph);
	const found = index.find(query) ?? index.findPath(query);
	return found ? found.parts.flatMap(({ items }) => items.map(textOf)).join("\n") : "unknown";
};

/** Projects a body given as a value or as bytes. Throws when it is not understood. */
export function projectBody(
	projector: Projector,
	body: object | Buffer,
	path = "/v1/messages",
): ProjectedRequest {
	const endpoint = findEndpoint(path);
	if (!endpoint) throw new Error(`no endpoint: ${path}`);
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
	const projection = projector(endpoint, bytes);
	if (projection.type !== "projected") throw new Error(projection.reason);
	return projection;
}

/** A session in which each exchange reads one file of `size` characters; `opening` is the first user message. */
export function readingSession(exchanges: number, size = 400, opening = "Fix the tests."): object {
	const messages: object[] = [{ role: "user", content: opening }];
	for (let n = 1; n <= exchanges; n += 1) messages.push(...exchange(n, size));
	return { model: "m", max_tokens: 1_000, messages };
}

function exchange(n: number, size: number): readonly object[] {
	const call = { type: "tool_use", id: `toolu_${n}`, name: "read", input: { path: `src/part${n}.ts` } };
	const result = { type: "tool_result", tool_use_id: call.id, content: `${n} `.repeat(size).slice(0, size) };
	return [
		{ role: "assistant", content: [{ type: "text", text: `I read part ${n}.` }, call] },
		{ role: "user", content: [result] },
	];
}
