import { expect, test } from "vitest";
import type { Timeline } from "../history/timeline.ts";
import {
	call,
	end,
	fold,
	type ItemDraft,
	type MessageDraft,
	model,
	person,
	result,
	startAct,
	startExpl,
	text,
} from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { createUnitScore, type Evidence, scoreWords } from "./scoring.ts";
import { collectUnits } from "./units.ts";

/** Everything is equally old, so that only what is asked about differs. */
const time: Timeline = { age: () => 500, turns: () => 3, sinceNamed: () => 900, sinceEdited: () => 700 };
const fading = 0.8 * Math.log(1 + 3) + 0.25 * Math.log(100 + 50);
const sinceEdited = 0.3 * Math.log(700 + 2_000);
/** The score that a unit of 100 tokens loses to time and size, with and without a file that it names. */
const withPaths = 0.7 * Math.log(900 + 2_000) + sinceEdited + fading;
const without = 0.7 * Math.log(500 + 2_000) + sinceEdited + fading;

/** The score of the call with this id, to three digits. */
function scoreOf(callId: string, drafts: readonly MessageDraft[], change: Partial<Evidence> = {}): number {
	const graph = fold(person(), ...drafts);
	const { units } = collectUnits(graph, graph.episodes, () => false);
	const unit = units.find(({ call }) => call.callId === callId);
	if (!unit) throw new Error(`no unit ${callId}`);
	const none = { freshness: new Map(), regrets: new Map(), canRestore: undefined };
	return createUnitScore({ graph, tools: testTools, time, ...none, ...change })(unit);
}

const named = (draft: ItemDraft) => ({ ...draft, digest: { lines: [], paths: ["a.ts"] } });
const use = (id: string, tool: string, args = {}) => [model(call(id, tool, args)), result(id, 90)];

test("what the agent wrote and the content of files are worth the same, a search or a run nothing", () => {
	expect(scoreOf("w", use("w", "edit"))).toBeCloseTo(2 - without, 6);
	expect(scoreOf("r", use("r", "read"))).toBeCloseTo(2 - without, 6);
	expect(scoreOf("g", use("g", "grep"))).toBeCloseTo(-without, 6);
	expect(scoreOf("b", use("b", "bash", { command: "make" }))).toBeCloseTo(-without, 6);
});

test("a unit that names files is as old as the last call that named one of them", () => {
	const drafts = [model(named(call("g", "grep"))), result("g", 90)];
	expect(scoreOf("g", drafts)).toBeCloseTo(-withPaths, 6);
});

test("lines that nothing younger shows count by their share", () => {
	const graph = fold(person(), ...use("g", "grep"));
	const sight = collectUnits(graph, graph.episodes, () => false);
	const [unit] = sight.units;
	if (!unit) throw new Error("no unit");
	const evidence = { graph, tools: testTools, time, regrets: new Map(), canRestore: undefined };
	const score = createUnitScore({ ...evidence, freshness: new Map([[unit, 0.25]]) });
	expect(score(unit)).toBeCloseTo(2 * 0.25 - without, 6);
});

test("an expl is needed by an open act, and an episode is finished by its own end or that of its act", () => {
	const expl = (name: string, id: string) => [
		model(startExpl(`${name} s`, name)),
		result(`${name} s`),
		...use(id, "grep"),
		model(end(`${name} e`, "x")),
		result(`${name} e`),
	];
	const open = (...dependencies: readonly string[]) => [
		model(startAct("s", "fix", ...dependencies)),
		result("s"),
		...use("w", "edit"),
	];
	const closed = [model(end("e")), result("e")];
	expect(scoreOf("g", expl("look", "g"))).toBeCloseTo(-without, 6);
	expect(scoreOf("g", [...expl("look", "g"), ...open("look")])).toBeCloseTo(1.5 - without, 6);
	expect(scoreOf("g", [...expl("look", "g"), ...open("look"), ...closed])).toBeCloseTo(-0.5 - without, 6);
	expect(scoreOf("g", [...expl("look", "g"), ...open(), ...closed])).toBeCloseTo(-without, 6);
	expect(scoreOf("w", open())).toBeCloseTo(2 - without, 6);
	expect(scoreOf("w", [...open(), ...closed])).toBeCloseTo(2 - 0.5 - without, 6);
	expect(scoreOf("w", [...use("w", "edit"), person()])).toBeCloseTo(2 - without, 6);
});

test("what was read again after a pass is needed, and the more the oftener; a recall is not", () => {
	const after = (tool: string, times: number) =>
		scoreOf("g", use("g", tool), { regrets: new Map([["1.0", times]]) });
	expect(after("grep", 1)).toBeCloseTo(1.5 - without, 6);
	expect(after("grep", 3)).toBeCloseTo(3 - without, 6);
	expect(after("recall", 3)).toBeCloseTo(-4 - without, 6);
});

test("what recall brought back is worth little once, and much when it was asked for again", () => {
	const recall = (id: string) => use(id, "recall", { query: "look" });
	expect(scoreOf("a", recall("a"))).toBeCloseTo(-4 - without, 6);
	const again = [...recall("a"), ...recall("b")];
	expect(scoreOf("a", again)).toBeCloseTo(-4 - without, 6);
	expect(scoreOf("b", again)).toBeCloseTo(2 + 1.5 - without, 6);
});

test("what the disk can give back is worth less, what nothing can more, unless the agent changed it since", () => {
	const given = (canRestore: boolean | undefined, since: Partial<Timeline> = {}) =>
		scoreOf("g", use("g", "grep"), { canRestore: () => canRestore, time: { ...time, ...since } });
	expect(given(undefined)).toBeCloseTo(-without, 6);
	expect(given(true)).toBeCloseTo(-0.5 - without, 6);
	expect(given(false)).toBeCloseTo(0.5 - without, 6);
	expect(given(false, { age: () => 700 })).toBeCloseTo(
		0.5 - (0.7 * Math.log(700 + 2_000) + sinceEdited + fading),
		6,
	);
	expect(given(false, { age: () => 701 })).toBeCloseTo(
		-(0.7 * Math.log(701 + 2_000) + sinceEdited + fading),
		6,
	);
});

test("an episode of words alone is scored on the same scale", () => {
	expect(scoreWords(time, 1, 100)).toBeCloseTo(0.5 - without, 6);
	const older = scoreWords({ ...time, age: (message) => (message === 1 ? 9_000 : 500) }, 1, 100);
	expect(older).toBeCloseTo(0.5 - (0.7 * Math.log(9_000 + 2_000) + sinceEdited + fading), 6);
});

test("user turns and size weigh by their logarithms", () => {
	const [grep] = [use("g", "grep")];
	const later = scoreOf("g", [...grep, model(text())], { time: { ...time, turns: () => 0 } });
	expect(later).toBeCloseTo(-without + 0.8 * Math.log(1 + 3), 6);
	const small = scoreOf("g", [model(call("g", "grep", {}, 1)), result("g", 9)]);
	expect(small).toBeCloseTo(-without + 0.25 * (Math.log(150) - Math.log(60)), 6);
});
