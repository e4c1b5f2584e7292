import { expect, test } from "vitest";
import { countTokens } from "#testing";
import type { NewCall } from "#testing/worker";
import { createExplorationMeter, withSummaries } from "./model-wrappers.ts";

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

const SYSTEM = "You are a context summarization assistant. Read the conversation.";
const model = withSummaries(() => ({ text: "the worker" }));
const ask = (system: string, text: string) =>
	model({ system, tools: [], messages: [{ type: "user", text }] }).text ?? "";
const fix = (name: string) =>
	`There is a bug in the function \`${name}\`: its comparison uses \`<\` where it should use \`<=\`. Please fix it there and only there.`;

test("a summary lists the requests, older ones first, without the chatter; other requests go to the worker", () => {
	expect(ask("You are an expert coding agent.", fix("oneFunction"))).toBe("the worker");
	const conversation = `<conversation>\n[User]: Thanks.\n\n${fix("later")}\n\n[Assistant]: Done.\n</conversation>`;
	const summary = ask(
		SYSTEM,
		`${conversation}\n\n<previous-summary>\n- [x] ${fix("earlier")}\n</previous-summary>`,
	);
	expect(summary.indexOf("earlier")).toBeGreaterThan(0);
	expect(summary.indexOf("later")).toBeGreaterThan(summary.indexOf("earlier"));
	expect(summary).not.toContain("Thanks");
});

test("a summary is bounded and drops the oldest requests first", () => {
	const names = Array.from({ length: 200 }, (_, index) => `function${index}`);
	const summary = ask(SYSTEM, `<conversation>\n${names.map(fix).join("\n")}\n</conversation>`);
	expect(countTokens(summary)).toBeLessThan(2_100);
	expect(summary).toContain("`function199`");
	expect(summary).not.toContain("`function0`");
});

const told = (subject: string, code: string) =>
	`For later: the code for "${subject}" is \`${code}\` from now on. Do not write it into any file, but add a file \`notes/a.md\` with the line "heard".`;
const CODES = Array.from({ length: 10 }, (_, index) => `K-${1000 + index}`);
const talk = [
	...CODES.map((code, index) => told(`desk ${index}`, code)),
	"amber-harbor is registered as d-12ab",
];

test("a summary keeps every fact and every id that the words of the session show", () => {
	const lines = talk.map((line) => `[User]: ${line}`).join("\n");
	const summary = ask(SYSTEM, `<conversation>\n${lines}\n</conversation>`);
	for (const fact of [...CODES, "d-12ab"]) expect(summary).toContain(fact);
});
