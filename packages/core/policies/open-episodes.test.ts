import { expect, test } from "vitest";
import { isOversized } from "../planning/batch-policy.ts";
import * as draft from "../test-support/message-builders.ts";
import { passOver } from "../test-support/small-sessions.ts";
import { cwl } from "./cwl.ts";

const { answered, call, exchange, person } = draft;

const use = (tool: string, id: string, tokens: number) => answered(tokens, call(id, tool));

/** The calls that a pass under this budget takes from a session that has just begun its next exchange. */
function plan(drafts: readonly draft.MessageDraft[], budget: number, lowWater = 0.65) {
	const made = passOver(cwl, [...drafts, draft.model(draft.text(5))], () => ({ budget, lowWater }));
	return { ...made, taken: made.evicted.filter((label) => !/^(reasoning|text)$| result$/.test(label)) };
}

const work = [
	...use("read", "r1", 900),
	...use("grep", "g1", 900),
	...use("read", "r2", 900),
	...use("grep", "g2", 900),
	...use("bash", "late", 500),
];
const opened = [person(), ...exchange(draft.startExpl("s", "look")), ...work];

test("an episode that the model keeps open is not touched while anything else can leave", () => {
	const { pass, taken } = plan([person(), ...use("read", "old", 2_000), ...opened], 5_500);
	expect(taken).toEqual(["old"]);
	expect(pass?.blockers).toEqual([]);
});

test("before the budget breaks, its bulk outputs go first, each kind oldest first", () => {
	const { total } = plan(opened, 1);
	const taken = (less: number) => plan(opened, total - less, 0.9).taken;
	expect([taken(1), taken(1_000), taken(1_900)]).toEqual([["g1"], ["g1", "g2"], ["r1", "g1", "g2"]]);
});

test("what it takes of an open episode leaves room for some requests, so that not every request is a pass", () => {
	const { pass, total } = plan(opened, 3_000, 0.5);
	expect(pass?.before).toBe(total);
	expect(pass?.after).toBeLessThanOrEqual(0.75 * 3_000);
});

test("a run that nobody marked is not waited for once it has outgrown a fifth of the budget, that not included", () => {
	const { taken, total } = plan([person(), ...work], 4_100, 0.9);
	expect(total).toBeGreaterThan(4_100);
	expect(taken).toEqual(["g1"]);
	const short = [person(), ...use("read", "old", 3_000), person(), ...use("grep", "g", 500)];
	expect(plan(short, 3_500, 0.9).taken).toEqual(["old"]);
	const look = draft.episodeOf(draft.fold(...opened), "look");
	expect([200, 201].map((tokens) => isOversized({ ...look, tokens }, 1_000))).toEqual([false, true]);
});
