/** A client with message threads, as pi 1.5.1 and later is one: the server holds what was said, and a request brings what is new. */
import { fieldsOf, recordsOf } from "#basics";
import { createThreads } from "#testing/server";

type Fields = ReturnType<typeof fieldsOf>;

const betas = new Set(["message-threads-2026-08-12"]);

/** The server holds these fields of a thread; a request that continues it does not repeat them. */
const HELD = new Set(["system", "tools", "messages"]);

/**
 * Returns a check of a session's requests, in order. It continues a thread wherever the request begins with what the server
 * holds, and throws if the server then has another request than the whole one. Returns true for a request that continued one.
 */
export function createThreadCheck() {
	const serve = createThreads(() => 0);
	let hold: ReturnType<typeof serve>["hold"];
	let asked: readonly string[] = [];
	let answers = 0;
	/** The messages behind the answer to the last request; undefined if this request begins in another way. */
	function takeNew(messages: readonly Fields[]) {
		const answer = messages[asked.length];
		const isSame = asked.every((text, index) => text === textOf(messages[index]));
		const added = messages.slice(asked.length + 1);
		if (!hold || !isSame || answer?.role !== "assistant" || added.length === 0) return undefined;
		answers += 1;
		hold(`msg_${answers}`, answer.content);
		return added;
	}
	return (body: unknown): boolean => {
		const whole = fieldsOf(body);
		const messages = recordsOf(whole.messages);
		const added = takeNew(messages);
		const fields = Object.entries(whole).filter(([key]) => !HELD.has(key));
		const thread = { type: "continue", previous_message_id: `msg_${answers}` };
		const request = added
			? { ...Object.fromEntries(fields), messages: added, thread }
			: { ...whole, thread: { type: "create" } };
		const served = serve(request, betas);
		if (served.refusal) throw new Error(`threads: refused: ${served.refusal.message}`);
		const had = recordsOf(served.body.messages).map(textOf);
		asked = messages.map(textOf);
		if (had.join("\n") !== asked.join("\n")) throw new Error("threads: the server has another request");
		hold = served.hold;
		return added !== undefined;
	};
}

/** A message without cache breakpoints, which each request sets anew. */
function textOf(message: Fields | undefined): string {
	return JSON.stringify(message, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}
