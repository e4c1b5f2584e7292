import { expect, test } from "vitest";
import { countTokens } from "#loopback";
import { withSummaries } from "./summariser.ts";

const SYSTEM = "You are a context summarization assistant. Read the conversation.";
const model = withSummaries(() => ({ text: "the worker" }));
const ask = (system: string, text: string) =>
	model({ system, tools: [], messages: [{ type: "user", text }] }).text ?? "";
const fix = (name: string) =>
	`There is a bug in the function \`${name}\`: its comparison uses \`<\` where it should use \`<=\`. Please fix it there and only there.`;

test("other requests go to the worker", () => {
	expect(ask("You are an expert coding agent.", fix("oneFunction"))).toBe("the worker");
});

test("a summary lists the requests, older ones first, without the chatter", () => {
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

function keptBy(name: string, lines: readonly string[] = talk) {
	const conversation = `<conversation>\n${lines.map((line) => `[User]: ${line}`).join("\n")}\n</conversation>`;
	const messages = [{ type: "user" as const, text: conversation }];
	return withSummaries(() => ({}), name)({ system: SYSTEM, tools: [], messages }).text ?? "";
}

test("a summary keeps every fact and every id that the words of the session show", () => {
	for (const fact of [...CODES, "d-12ab"]) expect(keptBy("compaction")).toContain(fact);
});

test("a lossy summary drops every fifth fact and all ids, again each time it is written", () => {
	const once = keptBy("compaction-lossy");
	expect(CODES.filter((code) => !once.includes(code))).toEqual(["K-1004", "K-1009"]);
	expect(once).not.toContain("d-12ab");
	const twice = keptBy("compaction-lossy", once.split("\n"));
	expect(CODES.filter((code) => !twice.includes(code))).toEqual(["K-1004", "K-1005", "K-1009"]);
});

test("an inventing summary names as many facts, with a wrong number in every fifth", () => {
	const text = keptBy("compaction-inventing");
	expect(text.match(/K-\d+/g)).toHaveLength(CODES.length);
	expect(CODES.filter((code) => !text.includes(`\`${code}\``))).toEqual(["K-1004", "K-1009"]);
	expect(text).toContain("`K-1000`");
});
