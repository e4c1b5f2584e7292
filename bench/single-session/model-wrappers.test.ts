import { expect, test } from "vitest";
import type { NewCall } from "#testing/worker";
import { createExplorationMeter } from "./model-wrappers.ts";

const call = (name: string, input: NewCall["arguments"]): NewCall => ({ name, arguments: input });
const read = (path: string) => call("read", { path });
const grep = (pattern: string) => call("grep", { pattern });
const edit = (path: string) => call("edit", { path, edits: [] });
const bash = (command: string) => call("bash", { command });
const recall = call("recall", { query: "a" });

/** A session of these replies, with an output for each call of the reply before. */
function run(...replies: readonly (readonly (readonly [NewCall, output?: string])[])[]) {
	const meter = createExplorationMeter();
	let next = 0;
	const model = meter.watch(() => ({ calls: (replies[next] ?? []).map(([made]) => made) }));
	for (next = 0; next <= replies.length; next++) {
		const before = replies[next - 1] ?? [];
		const calls = before.map(([made], index) => ({ ...made, id: `${index}` }));
		const outputs = before.map(([, text = ""], index) => ({ callId: `${index}`, text, isError: false }));
		model({
			...{ system: "", tools: [] },
			messages: [
				{ type: "assistant", thinking: "", text: "", calls },
				...outputs.map((output) => ({ type: "result" as const, ...output })),
			],
		});
	}
	return meter;
}

test.each([
	["a repeated read", 1, [read("a"), read("b"), read("a")]],
	["a repeated search", 1, [grep("x"), read("a"), grep("x")]],
	["a read after a change of another file", 1, [read("a"), edit("b"), read("a")]],
	["a read after a change of its file", 0, [read("a"), edit("a"), read("a")]],
	["a search after any change", 0, [grep("x"), edit("a"), grep("x")]],
	["a second read after a change", 1, [read("a"), edit("a"), read("a"), read("a")]],
	["another part of a file", 0, [read("a"), call("read", { path: "a", limit: 9 })]],
	["a repeated command", 0, [bash("ls"), bash("ls")]],
])("%s counts %i times", (_, count, calls) => {
	expect(run(calls.map((made) => [made])).repeated()).toBe(count);
});

test("repair counts repeated looks and recalls, with what they brought", () => {
	const meter = run(
		[
			[read("a"), "first"],
			[read("b"), "first"],
		],
		[
			[read("a"), "12345678"],
			[read("c"), "not again"],
			[recall, "1234"],
		],
		[[read("d"), "first"]],
	);
	expect(meter.repair()).toEqual({ requests: 2, recalls: 1, tokens: 3 });
});
