import { expect, test } from "vitest";
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import { modelReply, usageOf } from "../readers/message-parts.ts";
import type { RecordedSession } from "../readers/recorded-session.ts";

import {
	calls,
	countQuarters,
	inOrder,
	recorded,
	reply,
	result,
	says,
	user,
} from "../test-support/messages.ts";
import { measureScale, scaleCounter } from "./calibration.ts";
import { openRecording } from "./recording.ts";
import { asOldSession } from "./sent-requests.ts";

const ROUNDS = 30;

/** A session whose answers think so many sealed characters, without usage. */
function session(sealedCharacters = 0): RecordedSession {
	const seal = "s".repeat(sealedCharacters);
	const thinking =
		sealedCharacters > 0 ? [{ type: "thinking" as const, thinking: "", thinkingSignature: seal }] : [];
	const rounds = Array.from({ length: ROUNDS }, (_, round) => [
		reply(...thinking, says(`round ${round}`), calls(String(round), "read", { path: `src/${round}.ts` })),
		result(String(round), `line ${round} of the file\n`.repeat(40 + 5 * (round % 7))),
	]).flat();
	return recorded(...inOrder(user("go"), ...rounds, reply(says("done"))));
}

/** The session as its provider counted it: what each request held, by a line of a factor and a prompt. */
function counted(given: RecordedSession, size: (text: number, sealed: number) => number): RecordedSession {
	const { sizes } = openRecording(given, countQuarters);
	let text = 0;
	let sealed = 0;
	const messages = given.messages.map((message): HostMessage => {
		const before = { text, sealed };
		const own =
			message.role === "assistant" && message.content[0]?.type === "thinking" ? (sizes(message)[0] ?? 0) : 0;
		sealed += Math.max(0, own - 4);
		text += sum(sizes(message)) - Math.max(0, own - 4);
		if (message.role !== "assistant") return message;
		const reported = Math.round(size(before.text, before.sealed));
		const usage = usageOf({ input: 0, cached: reported, output: 50 });
		return { ...modelReply(message.content, message.timestamp, { api: "anthropic-messages", usage }) };
	});
	return { ...given, messages };
}

test("without usage our count stands for the provider's", () => {
	const given = session();
	expect(measureScale(asOldSession(given), countQuarters)).toBeUndefined();
	expect(openRecording(given, countQuarters).scale).toBeUndefined();
});

test("the factor of text and the recorded prompt are learned from usage, sealed thinking counted apart", () => {
	for (const characters of [0, 2_000]) {
		const given = counted(session(characters), (text, sealed) => 3_000 + 1.6 * text + sealed);
		const scale = measureScale(asOldSession(given), countQuarters);
		expect(scale?.factor).toBeCloseTo(1.6, 1);
		expect(Math.abs((scale?.overhead ?? 0) - 3_000)).toBeLessThan(250);
		expect(scale?.requests).toBeGreaterThan(ROUNDS - 5);
	}
});

test("a recording with usage counts what its provider counted, for every request within some percent", () => {
	const given = counted(session(2_000), (text, sealed) => 3_000 + 1.6 * text + sealed);
	const { turns, scale } = openRecording(given, countQuarters);
	for (const { reply: answer, historyTokens } of turns.slice(3)) {
		const size = (scale?.overhead ?? 0) + historyTokens;
		expect(size / answer.usage.cacheRead).toBeCloseTo(1, 1);
	}
});

test("our own count is kept where it explains the usage as well", () => {
	const given = counted(session(), (text) => 500 + text);
	expect(measureScale(asOldSession(given), countQuarters)).toMatchObject({ factor: 1, overhead: 500 });
});

test("usage that the messages do not explain is ignored, and so is what follows a compaction that the file does not name", () => {
	const constant = counted(session(), () => 1_020);
	expect(measureScale(asOldSession(constant), countQuarters)).toBeUndefined();
	const lost = counted(session(), (text) => (text > 6_000 ? 500 + 0.3 * text : 500 + text));
	expect(measureScale(asOldSession(lost), countQuarters)).toMatchObject({ factor: 1, overhead: 500 });
});

test("a summary takes the place of what it replaced", () => {
	const given = session();
	const position = 40;
	const summary = { text: "x".repeat(400), timestamp: 1, position, firstKept: position };
	const { sizes } = openRecording(given, countQuarters);
	const sent = (index: number) => {
		const from = index < position ? 0 : position;
		return sum(given.messages.slice(from, index).flatMap((message) => sizes(message))) + (from > 0 ? 124 : 0);
	};
	const messages = given.messages.map((message, index): HostMessage => {
		if (message.role !== "assistant") return message;
		return { ...message, usage: usageOf({ input: 700 + sent(index), output: 5 }) };
	});
	const compacted = { ...given, messages, summaries: [summary] };
	expect(measureScale(asOldSession(compacted), countQuarters)).toMatchObject({ factor: 1, overhead: 700 });
});

test("a scaled counter counts in the provider's tokens", () => {
	const scale = { factor: 1.5, overhead: 0, requests: 1 };
	expect(scaleCounter(countQuarters, scale)("x".repeat(400))).toBe(150);
	expect(scaleCounter(countQuarters, undefined)("x".repeat(400))).toBe(100);
});
