import { estimateTokens, findCutPoint } from "@mariozechner/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sum } from "#basics";
import type { HostMessage } from "#pi/codec";
import { bash } from "../../pi/test-support/host-messages.ts";
import { openRecording } from "../recording/recording.ts";
import { replayUnder } from "../test-support/kept.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import * as say from "../test-support/messages.ts";
import { findCut } from "./compaction.ts";

const { calls, countQuarters, inOrder, recorded, reply, result, says, thinks, user } = say;

const shell = bash("ls", "a b c");

const text = fc.integer({ min: 0, max: 60 }).map((length) => "word ".repeat(length));
const message: fc.Arbitrary<HostMessage> = fc.oneof(
	text.map(user),
	text.map((said) => reply(thinks(said), says(said), calls("1", "read", { path: said }))),
	text.map((output) => result("1", output)),
	text.map((output) => result("1", output)),
	fc.constant(shell),
);

const history = fc.array(message, { minLength: 1, maxLength: 30 });

test("it cuts where pi cuts", () => {
	fc.assert(
		fc.property(history, fc.nat({ max: 30 }), fc.nat({ max: 400 }), (messages, from, keep) => {
			const start = Math.min(from, messages.length - 1);
			const entries = messages.map((each, i) => ({
				type: "message" as const,
				id: String(i),
				parentId: null,
				timestamp: "",
				message: each,
			}));
			const theirs = findCutPoint(entries, start, entries.length, keep);
			const ours = findCut(messages, start, keep);
			// Without a possible cut pi keeps everything from the start.
			expect(ours?.first ?? start).toBe(theirs.firstKeptEntryIndex);
			if (theirs.isSplitTurn) expect(ours?.turn).toBe(theirs.turnStartIndex);
			else expect(ours?.turn).toBe(ours?.first);
		}),
		{ numRuns: 300 },
	);
});

function compacted(session = recorded(), policy = "compaction:keep=600:summary=200") {
	const recording = openRecording(session, countQuarters);
	return replayUnder(policy, recording, 3_000, { system: 50, tools: 30 });
}

test("a summary of the stated size stands for what went, the recent part stays, and the call is charged", () => {
	const requests = compacted(writeLongSession(20));
	const passes = requests.filter(({ pass }) => pass);
	expect(passes.length).toBeGreaterThan(1);
	for (const { messages, history, pass, extraCalls = [] } of passes) {
		const [summary, ...recent] = messages;
		if (summary?.role !== "compactionSummary") throw new Error("no summary");
		expect(summary.summary).toMatch(/<read-files>\nsrc\/part/);
		const filler = countQuarters(summary.summary.split("\n\n<")[0] ?? "");
		expect(Math.abs(filler - 200)).toBeLessThan(10);
		expect(recent).toEqual(history.slice(history.length - recent.length));
		const withExchangeBefore = history.slice(-recent.length - 3);
		expect(sum(withExchangeBefore.map(estimateTokens))).toBeGreaterThanOrEqual(600);
		expect(pass?.after).toBeLessThan(3_000);
		const written = extraCalls.reduce((total, { output }) => total + output, 0);
		expect(Math.abs(written - countQuarters(summary.summary))).toBeLessThan(2);
		const read = extraCalls.reduce((total, { input }) => total + input, 0);
		expect(read).toBeGreaterThan((pass?.before ?? 0) - (pass?.after ?? 0));
		expect(extraCalls.every(({ cached }) => cached === 0)).toBe(true);
	}
});

test("what the recorded agent had written by then takes the place of the stand-in, each once", () => {
	const long = writeLongSession(20);
	const middle = long.messages[60]?.timestamp ?? 0;
	const summaries = [
		{ text: "an early one", timestamp: 1 },
		{ text: "the user wants part1 renamed", timestamp: middle },
		{ text: "of the future", timestamp: 1e9 },
	];
	const requests = compacted({
		...long,
		summaries: summaries.map((each) => ({ ...each, position: 0, firstKept: 0 })),
	});
	const heads = requests.flatMap(({ pass, messages: [head] }) =>
		pass && head?.role === "compactionSummary" ? [head.summary.split("\n")[0]] : [],
	);
	expect(heads.filter((head) => head === "an early one")).toHaveLength(1);
	expect(heads.filter((head) => head === "the user wants part1 renamed")).toHaveLength(1);
	expect(heads).not.toContain("of the future");
	expect(heads.at(-1)).toMatch(/^what was done/);
});

test("an output larger than what stays leaves no place to cut", () => {
	const output = result("1", "x".repeat(20_000));
	const huge = inOrder(user("go"), reply(calls("1", "read")), output, reply(says("oh")));
	const requests = compacted(recorded(...huge));
	expect(requests.at(-1)).toMatchObject({ pass: undefined, messages: huge.slice(0, 3) });
});
