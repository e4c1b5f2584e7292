import { onTestFinished } from "vitest";
import { type Fields, objectsOf } from "../json.ts";
import type { ModelReply } from "../model.ts";
import { type Loopback, type LoopbackOptions, startLoopback } from "../server/server.ts";
import { BINDING_BETA } from "../thinking/prefix-check.ts";
import { postText, type RawAnswer } from "./raw.ts";
import { EMPTY, edit, messageAt, result, say, text, user } from "./thinking-session.ts";

/** The header under which requests may choose the reaction to stale thinking. */
export const BINDING = { "anthropic-beta": `other-beta, ${BINDING_BETA}` };
export const LONG = `word ${"word ".repeat(1500)}`;

/** Thinks and reads until it sees a result of its own, then thinks and answers. */
const THINKS: LoopbackOptions["model"] = ({ messages }): ModelReply =>
	messages.at(-1)?.type === "result"
		? { thinking: "Now I know.", text: "Done." }
		: { thinking: "I have to look.", redactedThinking: "secret", calls: [{ name: "read", arguments: {} }] };

export interface Client {
	readonly loopback: Loopback;
	readonly send: (body: Fields, headers?: Readonly<Record<string, string>>) => Promise<RawAnswer>;
	/** Sends a request and returns it with its answer. Throws when the request is refused. */
	readonly ask: (body: Fields, headers?: Readonly<Record<string, string>>) => Promise<Fields>;
}

/** A client of a new server, which closes with the test. */
export async function connect(options: Partial<LoopbackOptions> = {}): Promise<Client> {
	const loopback = await startLoopback({ model: THINKS, ...options });
	onTestFinished(loopback.close);
	const send: Client["send"] = (body, headers = {}) =>
		postText(loopback.url, "anthropic", JSON.stringify(body), headers);
	const ask: Client["ask"] = async (body, headers) => {
		const answered = await send(body, headers);
		if (answered.body.error) throw new Error(`the server refused: ${JSON.stringify(answered.body.error)}`);
		return say(body, { role: "assistant", content: answered.body.content });
	};
	return { loopback, send, ask };
}

export const marked = (block: Fields): Fields => ({ ...block, cache_control: { type: "ephemeral" } });

/** Answers the read that a request's last message asks for. */
export function answerRead(body: Fields, content: unknown = LONG): Fields {
	const uses = objectsOf(objectsOf(body.messages).at(-1)?.content).filter(({ type }) => type === "tool_use");
	return say(body, user(...uses.map(({ id }) => marked(result(String(id), content)))));
}

/** Messages: 0 user, 1 thinks (two blocks) and reads, 2 result, 3 thinks and answers, 4 user. */
export async function converse({ ask }: Client, model: string): Promise<Fields> {
	const read = await ask(say({ ...EMPTY, model }, user(text("Fix it."))));
	const done = await ask(answerRead(read));
	return say(done, user(text("Thanks.")));
}

/** The result in the middle is cut short, which invalidates the thinking at 3.0. */
export function shorten(body: Fields): Fields {
	const [read = {}] = objectsOf(messageAt(body, 2).content);
	return edit(body, 2, user({ ...read, content: "short" }));
}
