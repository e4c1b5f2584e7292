import { expect, test } from "vitest";
import { paper as published } from "#core/policies";
import { createManagedSession } from "#pi/session";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { openRecording } from "../recording/recording.ts";
import { replayUnder } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { countQuarters } from "../test-support/messages.ts";

const rounds = 40;
const recording = openRecording(writeLongSession(rounds), countQuarters);
const fixed = { system: 50, tools: 30 };

const overhead = fixed.system + fixed.tools;
const budget = 4_000;

const requestsUnder = (policy: string) => replayUnder(policy, recording, budget, fixed);

test("request n is made of everything before the n-th recorded reply", () => {
	const { messages } = recording.session;
	const replies = messages.flatMap((message, i) => (message.role === "assistant" ? [i] : []));
	const requests = requestsUnder("none");
	expect(requests.map(({ index }) => index)).toEqual([...replies.keys()]);
	requests.forEach(({ history, messages: sent }, i) => {
		expect(history).toEqual(messages.slice(0, replies[i]));
		expect(sent).toEqual(history);
	});
});

test("what is measured on the messages is what the ledger says", () => {
	const measure = createPrefixMeter(recording.sizes);
	const session = createManagedSession(countQuarters);
	for (const { history, messages } of requestsUnder("paper")) {
		const manual = { policy: published, budget, fixed, keepsLoopThinking: true };
		const { tokens } = session.request(history, manual);
		expect(overhead + measure(messages).tokens).toBe(tokens);
	}
});
