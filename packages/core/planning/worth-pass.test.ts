import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { planWorthPass } from "./worth-pass.ts";

const { call, failure, fold, labelOf, model, person, reasoning, result, text } = draft;

/** A run of a command with an output of `tokens`. */
const run = (
	id: string,
	tokens: number,
	...thought: readonly draft.ItemDraft[]
): readonly draft.MessageDraft[] => [
	model(...thought, call(id, "bash", { command: id }, 5)),
	result(id, tokens),
];
const answered = [model(text(5)), person(5)];

/** These turns, whose last answer follows a call that shows once more what these calls show, so that a second look at them is unlikely. */
function covered(drafts: readonly draft.MessageDraft[], unlikely: readonly string[]) {
	const lines = unlikely.map((_, line) => line);
	const shown = drafts.map(({ author, items }) => ({
		author,
		items: items.map((item) => {
			const line = item.type === "result" ? unlikely.indexOf(item.callId) : -1;
			return line < 0 ? item : { ...item, digest: { lines: [line], paths: [] } };
		}),
	}));
	const cover = [model(call("cover", "bash", {}, 5)), result("cover", 5, { lines })];
	const end = shown.findLastIndex(({ author }) => author === "tool") + 1;
	return [...shown.slice(0, end), ...cover, ...shown.slice(end)];
}

/** Those of the calls that a pass takes, where a second look is unlikely at these alone. */
function taken(drafts: readonly draft.MessageDraft[], unlikely: readonly string[], isCold = false) {
	const graph = fold(...covered(drafts, unlikely));
	const input = planInput(graph, { budget: 100_000, isCold });
	const pass = planWorthPass(input, "test", graph.tokens);
	const ids = new Set(pass?.strips.flatMap(({ items }) => items));
	const labels = graph.messages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)).map(labelOf));
	return { pass, taken: unlikely.filter((label) => labels.includes(label)) };
}

const beginning = [person(5), ...Array.from({ length: 60 }, (_, at) => run(`r${at}`, 10)).flat()];

test("outputs near the end leave; one far back stays where its cut costs more than it frees, unless the cache is cold", () => {
	const far = run("far", 1_000);
	const between = run("between", 30_000);
	const near = run("near", 3_000);
	const apart = [...beginning, ...far, ...between, ...near, ...answered];
	expect(taken(apart, ["far", "near"]).taken).toEqual(["near"]);
	expect(taken(apart, ["far", "near"], true)).toMatchObject({
		taken: ["far", "near"],
		pass: { decision: { reason: "cold cache", rewritten: expect.any(Number) } },
	});
	const close = [...beginning, ...far, ...near, ...answered];
	expect(taken(close, ["far", "near"])).toMatchObject({
		taken: ["far", "near"],
		pass: { decision: { reason: "turn begins" } },
	});
});

test("an output stays where the thinking behind it is worth more than what it frees", () => {
	const thought = run("thought", 10, reasoning(4_000));
	const out = [...beginning, ...run("out", 1_000)];
	expect(taken([...out, ...run("calm", 10), ...answered], ["out"]).taken).toEqual(["out"]);
	expect(taken([...out, ...thought, ...answered], ["out"]).taken).toEqual([]);
});

test("nothing is planned where every output is worth its price", () => {
	const young = Array.from({ length: 9 }, (_, at) => run(`r${at}`, 500)).flat();
	expect(taken([person(5), ...young, ...answered], []).pass).toBeUndefined();
});

/** The labels of what a pass takes of these turns, texts by their size, where a second look is unlikely at these calls. */
function takenOf(turns: readonly draft.MessageDraft[], unlikely: readonly string[], isCold = false) {
	const graph = fold(...covered([...beginning, ...turns], unlikely));
	const pass = planWorthPass(planInput(graph, { budget: 100_000, isCold }), "test", graph.tokens);
	const ids = new Set(pass?.strips.flatMap(({ items }) => items));
	const taken = graph.messages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)));
	return taken.map((item) => (item.type === "text" ? item.tokens : labelOf(item)));
}

const bash = (id: string) => call(id, "bash", { command: id }, 5);
const next = run("next", 5_000);
/** An output that stays: older work is old because of it, and a second look is dear in a context that has it. */
const large = run("large", 60_000);

test("what an answer says leaves with its last call, and so does a mark that had no effect", () => {
	const mark = call("mark", "delimiter", { action: "end", name: "none" }, 5);
	const marked = [model(text(301), bash("a"), mark), result("a", 3_000), failure("mark")];
	expect(takenOf([...marked, ...next, ...answered], ["a"])).toEqual(
		expect.arrayContaining([301, "a", "mark"]),
	);
	const both = [model(text(302), bash("a"), bash("b")), result("a", 3_000), result("b", 3_000)];
	expect(takenOf([...large, ...both, ...next, ...answered], ["a"])).not.toContain(302);
});

test("a mark that had no effect stays while the loop in progress begins with it", () => {
	const mark = call("mark", "delimiter", { action: "end", name: "none" }, 5);
	const first = [model(reasoning(10), text(303), mark, bash("a")), failure("mark"), result("a", 25_000)];
	const left = takenOf([person(5), ...first, ...run("b", 5), ...run("c", 5)], ["a"], true);
	expect([left.includes("a"), left.includes("mark"), left.includes(303)]).toEqual([true, false, false]);
});

test("words count to what their call frees: a short output leaves once its answer said enough", () => {
	const look = (words: number) => [
		model(text(words), bash("small")),
		result("small", 5),
		...large,
		...answered,
	];
	expect(takenOf(look(10), [], true)).not.toContain("small");
	expect(takenOf(look(4_000), [], true)).toContain("small");
});

test("words that are worth keeping stay when their calls leave, those that closed an episode with a line for the rest of it", () => {
	const said = [model(text(20), bash("a")), result("a", 3_000), model(text(30)), person(5)];
	const turns = [...large, ...said, ...run("next", 500), ...answered];
	expect(takenOf(turns, ["a"])).toEqual(expect.arrayContaining(["a"]));
	for (const words of [20, 30]) expect(takenOf(turns, ["a"])).not.toContain(words);
});

test("an answer of words alone leaves a turn after it was given, where a line is shorter", () => {
	const asked = (words: number) => [model(text(words)), person(5)];
	const left = takenOf([...asked(9_001), ...asked(6), ...large, ...asked(9_002)], [], true);
	expect([left.includes(9_001), left.includes(6), left.includes(9_002)]).toEqual([true, false, false]);
});

test("an episode that the model forgot to end leaves once a whole turn has added nothing to it", () => {
	const begun = [
		...beginning,
		model(call("m", "delimiter", { action: "start", name: "look", type: "expl" }, 5)),
	];
	const open = [...begun, result("m", 5), ...run("out", 3_000), ...answered];
	expect(taken(open, ["out"]).taken).toEqual([]);
	const other = [
		model(call("n", "delimiter", { action: "start", name: "other", type: "expl" }, 5)),
		result("n", 5),
	];
	expect(taken([...open, ...other, ...run("x", 5), ...answered], ["out"]).taken).toEqual(["out"]);
});
