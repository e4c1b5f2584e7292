/** Algorithm 1 and the tool loop in progress, whose reasoning providers want back. */
import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { expl, mark, shrink, use } from "../test-support/small-sessions.ts";
import { paperAdapted } from "./paper.ts";

const { exchange, answered, call, model, person, reasoning, result, text } = draft;

test("reasoning of the tool loop in progress stays as long as anything that it led to", () => {
	const loop = [person(), ...expl("look", ...use("grep", "g"), ...use("edit", "w")), model(text())];
	expect(shrink(loop, 1).evicted).toEqual(["reasoning", "g", "g result"]);
	const shared = [
		person(),
		...exchange(call("o", "ls")),
		...use("read", "q"),
		...exchange(reasoning(), mark(draft.startExpl("s", "look"))),
		model(reasoning(), mark(draft.end("e", "x")), mark(draft.startAct("s2", "fix", "look"))),
		result("e"),
		result("s2"),
		model(text()),
	];
	expect(shrink(shared, 100_000, [], paperAdapted).levels).toEqual([["unmarked-1", 4]]);
});

test("a tool loop in progress that begins with reasoning keeps the least of what that led to, until it ends", () => {
	const loop = [
		person(),
		model(reasoning(), mark(draft.startExpl("s", "look")), call("r", "read")),
		result("s"),
		result("r"),
		...use("grep", "g"),
		...exchange(mark(draft.end("e", "it is there"))),
		model(text()),
	];
	const { evicted, levels } = shrink(loop, 100_000);
	expect(evicted).toEqual(["r", "r result", "reasoning", "g", "g result"]);
	expect(levels).toEqual([["look", 3]]);
	expect(shrink([...loop, person(), model(text())], 100_000).levels).toContainEqual(["look", 4]);
});

test("an expl that shares its reasoning with later work is asked again when that work has gone", () => {
	const session = [
		person(),
		...answered(1, call("o", "ls")),
		model(
			reasoning(500),
			mark(draft.startExpl("s", "look")),
			mark(draft.end("e", "long ".repeat(40))),
			call("r", "read"),
		),
		...["s", "e", "r"].map((id) => result(id)),
		...exchange(mark(draft.startExpl("s2", "more"))),
		model(text()),
	];
	expect(shrink(session, 12, [], paperAdapted).levels).toEqual([
		["unmarked-1", 4],
		["unmarked-3", 3],
	]);
	expect(shrink(session, 101, [], paperAdapted).levels).toEqual([
		["unmarked-1", 4],
		["unmarked-3", 4],
		["look", 4],
	]);
});
