import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { findBlockers } from "./make-pass.ts";

const { call, end, fold, model, person, result, startAct, startExpl, text } = draft;

/** A delimiter call of 10 tokens whose result has 1. */
function mark(item: draft.ItemDraft): readonly draft.MessageDraft[] {
	return [model(item), ...(item.type === "call" ? [result(item.callId, 1)] : [])];
}

function read(id: string, tokens: number): readonly draft.MessageDraft[] {
	return [model(call(id, "read", { path: id })), result(id, tokens - 10)];
}

const limits = [...mark(startExpl("s1", "limits")), ...read("a", 400), ...mark(end("e1", "found"))];
const names = [...mark(startExpl("s2", "names")), ...read("b", 1_000), ...mark(end("e2", "found"))];
const more = [...mark(startExpl("s4", "more")), ...read("d", 200), ...mark(end("e4", "found"))];

/** The blockers of a session of which nothing is taken, as code and tokens. */
function blockersOf(...drafts: readonly draft.MessageDraft[]) {
	const graph = fold(...drafts);
	const input = planInput(graph, viewOfLog([]), { budget: 1_000 });
	return findBlockers(input, [], graph.tokens).map(({ code, tokens }) => [code, tokens]);
}

test("what an open act declared is named with it, to the token, and what nobody needs is in use", () => {
	const fix = mark(startAct("s3", "fix", "limits", "more"));
	const session = [person(50), ...limits, ...names, ...more, person(70), ...fix, ...read("c", 700)];
	expect(blockersOf(...session)).toEqual([
		["in-use", 1_000 + 22],
		["open-episode", 700 + 11],
		["dependencies", 400 + 200 + 2 * 22],
		["user-turns", 70],
		["prologue", 50],
	]);
});

test("of three episodes the first is named where an open act declared it", () => {
	const fix = mark(startAct("s3", "fix", "limits"));
	expect(blockersOf(person(50), ...limits, ...names, ...fix, ...read("c", 700))).toEqual([
		["in-use", 1_000 + 22],
		["open-episode", 700 + 11],
		["dependencies", 400 + 22],
		["prologue", 50],
	]);
});

test("system prompt and tools are named together", () => {
	const graph = fold(person(50), model(text(3)));
	const input = planInput(graph, viewOfLog([]), { budget: 100, fixed: { system: 300, tools: 40 } });
	expect(findBlockers(input, [], graph.tokens + 340)[0]).toEqual({ code: "fixed", tokens: 340 });
});

test("an output that had faded leaves the blockers by what was sent of it", () => {
	const graph = fold(person(50), ...mark(startExpl("s1", "limits")), ...read("a", 400), ...read("b", 300));
	const [episode] = graph.episodes;
	const asked = episode?.items.find((item) => item.type === "call" && item.callId === "a");
	if (!episode || !asked) throw new Error("no call");
	const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0, blockers: [] };
	const fades = [{ episode: episode.id, item: asked.id, age: 1 as const, tokens: 150 }];
	const view = viewOfLog([{ ...sizes, strips: [], fades }]);
	const input = planInput(graph, view, { budget: 100 });
	const strips = [{ episode: episode.id, level: 3 as const, items: [asked.id], tokens: 400 }];
	expect(findBlockers(input, strips, graph.tokens - 400)[0]).toMatchObject({ tokens: 300 + 11 });
});

test("a closed episode is in the exchange in progress by its last item alone", () => {
	expect(blockersOf(person(50), ...read("a", 400), model(text(3)), person(70))).toEqual([
		["in-use", 400],
		["user-turns", 70],
		["prologue", 50],
		["exchange", 3],
	]);
});

test("an episode that began and ended in the last answer is in the exchange in progress, its first item included", () => {
	const last = model(startExpl("s1", "limits"), end("e1", "found"));
	expect(blockersOf(person(50), last, result("s1", 20), result("e1", 30))).toEqual([
		["exchange", 10 + 10 + 20 + 30],
		["prologue", 50],
	]);
});

test("an open episode is named also after an answer that came empty", () => {
	const fix = mark(startAct("s3", "fix"));
	expect(blockersOf(person(50), ...limits, ...fix, ...read("c", 700), person(70), model())).toEqual([
		["open-episode", 700 + 11],
		["in-use", 400 + 22],
		["user-turns", 70],
		["prologue", 50],
	]);
});

test("of a closed episode the exchange in progress is named, and nothing before it", () => {
	const closed = limits.slice(0, -1);
	expect(blockersOf(person(50), ...closed, result("e1", 30))).toEqual([
		["in-use", 400 + 11],
		["prologue", 50],
		["exchange", 10 + 30],
	]);
});

test("a result that came late is in the exchange in progress, whatever closed episode its call is in", () => {
	const asked = [person(50), model(call("late", "read")), person(70), ...limits, person(1)];
	expect(blockersOf(...asked, model(text(3)), result("late", 300))).toEqual([
		["in-use", 10 + 400 + 22],
		["exchange", 300],
		["user-turns", 71],
		["prologue", 50],
		["open-episode", 3],
	]);
});
