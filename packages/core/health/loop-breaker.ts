/**
 * Breaks loops: a model that looks at the same thing again and again, with the same answer and no change in between, gets
 * a refusal instead of the answer; one that continues is stopped. Runs may well be repeated, to wait for something, so
 * only calls that look are counted.
 */
import type { UnknownRecord } from "#basics";
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";

/** The number of equal answers that make a loop. */
const ANSWERS = 5;
/** So many refusals with nothing else in between end the run. */
const REFUSALS = 3;

export type Verdict = { readonly type: "go" } | { readonly type: "refuse" | "stop"; readonly reason: string };

export type LoopBreaker = ReturnType<typeof createLoopBreaker>;

interface Repetition {
	readonly answer: string;
	readonly times: number;
}

export function createLoopBreaker(tools: ToolTable) {
	const seen = new Map<string, Repetition>();
	let refusals = 0;
	const keyOf = (tool: string, args: UnknownRecord) => `${tool} ${JSON.stringify(args)}`;
	return {
		/** Decides if a call may be made. */
		ask(tool: string, args: UnknownRecord): Verdict {
			const { times = 0 } = seen.get(keyOf(tool, args)) ?? {};
			if (times < ANSWERS || effectOf(tools, tool, args) !== "reads") return { type: "go" };
			refusals += 1;
			const reason =
				`${tool} was called with these arguments ${times} times and answered the same, and nothing changed since: ` +
				"use that answer, or do something else.";
			return { type: refusals > REFUSALS ? "stop" : "refuse", reason };
		},
		/** It was made, and this came of it. */
		answered(tool: string, args: UnknownRecord, answer: string) {
			const effect = effectOf(tools, tool, args);
			if (effect === "writes") seen.clear();
			if (effect !== "reads") return;
			refusals = 0;
			const key = keyOf(tool, args);
			const earlier = seen.get(key);
			seen.set(key, { answer, times: earlier?.answer === answer ? earlier.times + 1 : 1 });
		},
		/** Forgets all calls: earlier output may be evicted, or a person has spoken, so a call is no longer a repetition. */
		reset() {
			seen.clear();
		},
	};
}
