import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { passOver } from "../test-support/small-sessions.ts";
import { cwl } from "./cwl.ts";

const { call, model, result } = draft;
function use(tool: string, id: string, tokens: number): readonly draft.MessageDraft[] {
	return [model(call(id, tool)), result(id, tokens)];
}

/** The calls that a pass under this budget takes from a session that has just begun its next exchange. */
function plan(drafts: readonly draft.MessageDraft[], budget: number, lowWater = 0.65) {
	const made = passOver(cwl, [...drafts, model(draft.text(5))], () => ({ budget, lowWater }));
	return { ...made, taken: made.evicted.filter((label) => !/^(reasoning|text)$| result$/.test(label)) };
}

const opened = [draft.person(), model(draft.startExpl("s", "look")), result("s")];
const work = [
	...use("read", "r1", 900),
	...use("grep", "g1", 900),
	...use("read", "r2", 900),
	...use("grep", "g2", 900),
	...use("bash", "late", 500),
];

test("an episode that the model keeps open is not touched while anything else can leave", () => {
	const before = [draft.person(), ...use("read", "old", 2_000)];
	const { pass, taken } = plan([...before, ...opened, ...work], 5_500);
	expect(taken).toEqual(["old"]);
	expect(pass?.blockers).toEqual([]);
});

test("before the budget breaks, its bulk outputs go first, each kind oldest first", () => {
	const { total } = plan([...opened, ...work], 1);
	const { taken } = plan([...opened, ...work], total - 1, 0.9);
	expect(taken).toEqual(["g1"]);
	expect(plan([...opened, ...work], total - 1_000, 0.9).taken).toEqual(["g1", "g2"]);
	expect(plan([...opened, ...work], total - 1_900, 0.9).taken).toEqual(["r1", "g1", "g2"]);
});

test("what it takes of an open episode leaves room for some requests, so that not every request is a pass", () => {
	const { pass, total } = plan([...opened, ...work], 3_000, 0.5);
	expect(pass?.before).toBe(total);
	expect(pass?.after).toBeLessThanOrEqual(0.75 * 3_000);
});

test("a run that nobody marked is not waited for once it has outgrown a fifth of the budget", () => {
	const run = [draft.person(), ...work];
	const { taken, total } = plan(run, 4_100, 0.9);
	expect(total).toBeGreaterThan(4_100);
	expect(taken).toEqual(["g1"]);
	const short = [draft.person(), ...use("read", "old", 3_000), draft.person(), ...use("grep", "g", 500)];
	expect(plan(short, 3_500, 0.9).taken).toEqual(["old"]);
});
