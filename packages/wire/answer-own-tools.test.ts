import { expect, test } from "vitest";
import { DELIMITER_ANSWER, RECALL_ANSWER } from "./answer-own-tools.ts";
import { plainToolName } from "./formats/wire-format.ts";
import * as small from "./test-support/small-requests.ts";

const { projectBody, smallProjector, wireForms } = small;
const apis = Object.entries(wireForms);

const read = (file: number): small.Exchange => ({
	name: "read",
	input: { path: `src/part${file}.ts` },
	output: `${file} `.repeat(200),
});

function bodyOf({ list, exchange, named }: small.WireForm, exchanges: readonly small.Exchange[]): object {
	const entries = exchanges.flatMap((one, index) => exchange(`call_${index}`, one));
	return {
		tools: [{ name: named("recall") }],
		[list]: [{ role: "user", content: "Fix the tests." }, ...entries],
	};
}

const recallOf = (api: small.WireForm, query: string): small.Exchange => ({
	name: api.named("recall"),
	input: { query },
	output: RECALL_ANSWER,
});

const many = Array.from({ length: 14 }, (_, index) => read(index + 1));

test.each(apis)("%s: a recall answers what was evicted, the same each time", (_, api) => {
	const projector = smallProjector(1_000);
	const before = projectBody(projector, bodyOf(api, many), api.path);
	expect(before.pass).toBeDefined();
	expect(before.body.toString()).not.toContain("2 2 2 2");
	const asked = [...many, recallOf(api, "call_1")];
	const after = projectBody(projector, bodyOf(api, asked), api.path);
	expect(after.body.toString()).toContain("2 ".repeat(200));
	expect(after.body.toString()).not.toContain(RECALL_ANSWER);
	const later = projectBody(projector, bodyOf(api, [...asked, { ...read(15), output: "empty" }]), api.path);
	expect(later.pass).toBeUndefined();
	expect(later.body.toString()).toContain("2 ".repeat(200));
	const again = projectBody(projector, bodyOf(api, asked), api.path);
	expect(again.body.equals(after.body)).toBe(true);
});

test.each(apis)("%s: a pass does not take what was recalled right before it", (_, api) => {
	let passes = 0;
	for (let reads = 14; reads < 24; reads += 1) {
		const projector = smallProjector(600 + 20 * reads);
		const exchanges = Array.from({ length: reads }, (_each, index) => read(index + 1));
		for (let sent = 10; sent <= reads; sent += 1) {
			projectBody(projector, bodyOf(api, exchanges.slice(0, sent)), api.path);
		}
		const asked = [...exchanges, recallOf(api, "call_1")];
		const { body, pass } = projectBody(projector, bodyOf(api, asked), api.path);
		expect(body.toString()).toContain("2 ".repeat(200));
		if (pass) passes += 1;
	}
	expect(passes).toBeGreaterThan(0);
});

test.each(apis)("%s: a wrong mark is told what is wrong, a right one is left", (_, api) => {
	const mark = (input: object) => ({ name: api.named("delimiter"), input, output: DELIMITER_ANSWER });
	const start = mark({ action: "start", name: "look", type: "expl" });
	const right = Buffer.from(JSON.stringify(bodyOf(api, [start, read(1)])));
	expect(projectBody(smallProjector(100_000), right, api.path).body).toBe(right);
	const { body } = projectBody(smallProjector(100_000), bodyOf(api, [start, read(1), start]), api.path);
	expect(body.toString().split(DELIMITER_ANSWER)).toHaveLength(2);
	expect(body.toString()).toContain("is still open: call");
});

test("marks of one message count in the order of their calls, whatever the order of their results", () => {
	const marks = [
		{ action: "start", name: "look", type: "expl" },
		{ action: "end", description: "Found." },
		{ action: "start", name: "change", type: "act", dependencies: ["look"] },
	];
	const name = "mcp__cwl__delimiter";
	const calls = marks.map((input, n) => ({ type: "tool_use", id: `t${n}`, name, input }));
	const result = { type: "tool_result", content: DELIMITER_ANSWER };
	const results = marks.map((_, n) => ({ ...result, tool_use_id: `t${n}` }));
	const asked = [
		{ role: "user", content: "Fix it." },
		{ role: "assistant", content: calls },
	];
	const bodyWith = (content: readonly object[]) =>
		Buffer.from(JSON.stringify({ messages: [...asked, { role: "user", content }] }));
	const project = smallProjector(100_000);
	const bodies = [bodyWith(results.toReversed()), bodyWith(results)];
	const [one, other] = bodies.map((body) => {
		const projected = projectBody(project, body);
		expect(projected.body).toBe(body);
		return projected.conversation;
	});
	expect(other).toBe(one);
});

const search = { name: "ToolSearch" };
const recall = { name: "mcp__cwl__recall" };
const late = { ...recall, defer_loading: true };

test.each([
	["the tool", [recall], /; recall by name or file[:\]]/],
	["no such tool", [], /\[8 episodes, evicted 1.4k(?:; \\"|\])/],
	["it behind a search", [search], /file if ToolSearch finds that tool[:\]]/],
	["it behind a search that found it", [search, late], /file if ToolSearch finds that tool[:\]]/],
	["it next to a search", [search, recall], /; recall by name or file[:\]]/],
	["it behind Codex's search", [{ type: "tool_search" }], /file if tool_search finds that tool[:\]]/],
])("lines for evicted episodes say how to recall them where the agent has %s", (_, tools, offer) => {
	const mark = (input: object) => ({ name: "mcp__cwl__delimiter", input, output: DELIMITER_ANSWER });
	const marked = many.flatMap((one, index) => [
		mark({ action: "start", name: `part ${index}`, type: "expl" }),
		one,
		mark({ action: "end", description: "read" }),
	]);
	const { body } = projectBody(smallProjector(2_000), { ...bodyOf(wireForms.messages, marked), tools });
	expect(body.toString()).toContain("[8 episodes, evicted 1.4k");
	expect(body.toString()).toMatch(offer);
});

test("a tool of another server with the same name is left alone", () => {
	const foreign = { name: "mcp__crm__recall", input: { query: "call_1" }, output: "nothing" };
	const { body } = projectBody(smallProjector(1_000), bodyOf(wireForms.messages, [...many, foreign]));
	expect(body.toString()).toContain('"nothing"');
});

test.each([
	["mcp__cwl__delimiter", "delimiter"],
	["mcp__plugin_tools_cwl__recall", "recall"],
	["cwl_grep", "grep"],
	["mcp__crm__recall", "mcp__crm__recall"],
	["cwl_delete", "cwl_delete"],
])("%s is known as %s", (name, expected) => {
	expect(plainToolName(name)).toBe(expected);
});
