import { expect, test } from "vitest";
import { createExplorationMeter } from "./exploration.ts";
import { takeNote } from "./model-agent.ts";
import type { Meters } from "./run.ts";

function meters(): Meters {
	return {
		requests: [],
		exploration: createExplorationMeter(),
		stop: new AbortController(),
		paid: undefined,
	};
}

const reply = (total: number) => ({
	type: "message_end",
	message: {
		role: "assistant",
		stopReason: "stop",
		usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, cost: { total } },
	},
});

test("an answer counts as a request with the provider's own figures", () => {
	const taken = meters();
	takeNote(taken, reply(0.5), 2);
	expect(taken.requests).toEqual([
		{
			tokens: 130,
			cachedTokens: 100,
			prefixTokens: 100,
			outputTokens: 5,
			isRefused: false,
			isSummary: false,
		},
	]);
	expect(taken.paid).toBe(0.5);
});

test("the run stops once its cost exceeds the cap, and not before", () => {
	const taken = meters();
	takeNote(taken, reply(1), 1.5);
	expect(taken.stop.signal.aborted).toBe(false);
	takeNote(taken, reply(1), 1.5);
	expect(taken.stop.signal.aborted).toBe(true);
});

test("messages of users and tools are no requests, and a repeated read counts as exploration", () => {
	const taken = meters();
	const look = { type: "tool_execution_start", toolName: "read", args: { path: "a" } };
	for (const event of [{ type: "message_end", message: { role: "user" } }, look, look])
		takeNote(taken, event, 1);
	expect(taken.requests).toEqual([]);
	expect(taken.exploration.repeated()).toBe(1);
});
