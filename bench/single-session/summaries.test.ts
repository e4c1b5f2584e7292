import { expect, test } from "vitest";
import { countTokens } from "#testing";
import { summarizeTasks, withSummaries } from "./summaries.ts";

const SYSTEM = "You are a context summarization assistant. Read the conversation.";
const model = withSummaries(() => ({ text: "the worker" }), summarizeTasks);
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

const shown =
	'Our lawyers signed off this wording for the "lease": "two desks a day.". We do not use it yet, so only add a file `notes/a.md` with the line "heard".';

test.each([
	["compaction", 10, true, false],
	["compaction-full", 10, true, true],
	["compaction-lossy", 8, false, false],
	["compaction-inventing", 8, true, false],
])("%s keeps %i of ten codes, ids: %s, wordings: %s", (name, codes, ids, wordings) => {
	const summary = summarizeTasks([[...talk, shown].join("\n")], name);
	expect(CODES.filter((code) => summary.includes(code))).toHaveLength(codes);
	expect(summary.includes("is registered as d-12ab")).toBe(ids);
	expect(summary.includes("two desks a day.")).toBe(wordings);
});
