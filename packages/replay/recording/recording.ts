/** The facts of a session that a replay needs before any policy runs; counted once for all policies. */
import { type CountTokens, sum } from "#basics";
import { DELIMITER } from "#core/annotation";
import { type Answer, type HostMessage, readMessage } from "#pi/codec";

import type { RecordedSession } from "../readers/recorded-session.ts";
import { measureScale, scaleCounter } from "./calibration.ts";
import { asOldSession } from "./sent-requests.ts";

export type Recording = ReturnType<typeof openRecording>;

/** One recorded request: everything before a recorded reply. */
export interface Turn {
	/** Index of the reply among the session's messages: the request is made of the messages before it. */
	readonly position: number;
	readonly reply: Answer;
	/** Tokens of the reply. */
	readonly outputTokens: number;
	/** Tokens of all messages before the reply, prompt and tools not included. */
	readonly historyTokens: number;
}

/** Tokens of a message: one figure a block for the model's, one or none for every other. */
export type MessageSizes = (message: HostMessage) => readonly number[];

/** Counts in the provider's tokens where the file records its usage; `scale` says by how much they differ from ours. */
export function openRecording(session: RecordedSession, counter: CountTokens) {
	const own = rememberCounts(counter);
	const scale = measureScale(asOldSession(session), own);
	return { session, ...recordTurns(session.messages, scaleCounter(own, scale)), scale };
}

/** Returns true for a `delimiter` call. */
export function isMark(block: Answer["content"][number]): boolean {
	return block.type === "toolCall" && block.name === DELIMITER;
}

/** The requests of some messages, in the tokens of the counter. */
export function recordTurns(messages: readonly HostMessage[], counter: CountTokens) {
	const count = rememberCounts(counter);
	const sizes = createSizes(count);
	const turns: Turn[] = [];
	let historyTokens = 0;
	messages.forEach((message, position) => {
		const tokens = sum(sizes(message));
		if (message.role === "assistant") {
			turns.push({ position, reply: message, outputTokens: tokens, historyTokens });
		}
		historyTokens += tokens;
	});
	/** True if `delimiter` calls mark its episodes; otherwise they are inferred. */
	const isAnnotated = turns.some(({ reply }) => reply.content.some(isMark));
	/** `count` and `sizes` count a text and a message once, whoever asks. */
	return { turns, isAnnotated, count, sizes };
}

function rememberCounts(count: CountTokens): CountTokens {
	const known = new Map<string, number>();
	return (text) => {
		const tokens = known.get(text) ?? count(text);
		known.set(text, tokens);
		return tokens;
	};
}

/** Messages that a policy did not touch are passed on as the same object, so each is measured once. */
export function createSizes(count: CountTokens): MessageSizes {
	const known = new WeakMap<HostMessage, readonly number[]>();
	return (message) => {
		const sizes = known.get(message) ?? readMessage(message, 0, "", count).items.map((item) => item.tokens);
		known.set(message, sizes);
		return sizes;
	};
}
