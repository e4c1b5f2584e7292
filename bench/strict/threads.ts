/** A client with message threads, as pi 1.5.1 and later is one: the server holds what was said, and a request brings what is new. */
import { isDeepStrictEqual } from "node:util";
import { fieldsOf, recordsOf, type UnknownRecord } from "#basics";
import { createThreads } from "#testing/server";

const betas = new Set(["message-threads-2026-08-12"]);

/**
 * Returns a check of the requests of a session to Anthropic, in order. It continues a thread wherever a request begins with what
 * the server holds, and throws if the server then has another request than the whole one. Returns true for a request that continued one.
 */
export function createThreadCheck() {
	const serve = createThreads(() => 0);
	let hold: ReturnType<typeof serve>["hold"];
	let asked: readonly UnknownRecord[] = [];
	let answers = 0;
	return (body: unknown): boolean => {
		const { system, tools, messages: all, ...fields } = withoutBreakpoints(body);
		const messages = recordsOf(all);
		const [answer, ...added] = messages.slice(asked.length);
		const isSame = isDeepStrictEqual(messages.slice(0, asked.length), asked);
		const continues = hold !== undefined && isSame && answer?.role === "assistant" && added.length > 0;
		if (continues) hold?.(`msg_${++answers}`, answer.content);
		const request = continues
			? { ...fields, messages: added, thread: { type: "continue", previous_message_id: `msg_${answers}` } }
			: { ...fields, system, tools, messages, thread: { type: "create" } };
		const served = serve(request, betas);
		if (served.refusal) throw new Error(`threads: refused: ${served.refusal.message}`);
		if (!isDeepStrictEqual(served.body.messages, messages))
			throw new Error("threads: the server has another request");
		hold = served.hold;
		asked = messages;
		return continues;
	};
}

/** Each request sets its cache breakpoints anew. */
function withoutBreakpoints(body: unknown): UnknownRecord {
	const json = JSON.stringify(body, (key, value: unknown) => (key === "cache_control" ? undefined : value));
	return fieldsOf(JSON.parse(json));
}
