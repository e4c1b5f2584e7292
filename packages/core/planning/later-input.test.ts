import { expect, test } from "vitest";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import {
	call,
	fold,
	type MessageDraft,
	model,
	person,
	result,
	text,
} from "../test-support/message-builders.ts";
import { inputOf, total } from "../test-support/open-session.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { afterResults, atNextTurn, weighAtNextTurn } from "./later-input.ts";
import { beginsTurn, lowWaterOf } from "./limits.ts";
import { planManualPass } from "./manual-pass.ts";
import { planPass } from "./plan.ts";
import type { Policy } from "./policy.ts";

test.each([paper, cwl])("below it, $name is asked about what is there when the rest has come", (policy) => {
	const input = inputOf(total + 200);
	const pass = planPass(policy, afterResults(input, 201, "continues"));
	expect(pass?.before).toBe(total + 201);
	const known = new Set(input.graph.messages.flatMap(({ items }) => items.map(({ id }) => id)));
	for (const { items } of pass?.strips ?? []) for (const id of items) expect(known).toContain(id);
});

test("the pass of the next turn is asked about as if a person had spoken", () => {
	const policy: Policy = {
		...cwl,
		plan: (input) => (beginsTurn(input) ? cwl.plan({ ...input, lowWaterTokens: 100 }) : undefined),
	};
	const input = inputOf(total + 200);
	expect(planPass(policy, afterResults(input, 201, "begins"))).toBeUndefined();
	expect(planPass(policy, atNextTurn(input))?.strips.length).toBeGreaterThan(0);
	// The message closes unmarked work, which no pass would take while it is open.
	const unmarked = fold(person(), model(call("a", "bash")), result("a", 1_500), model(text(2_100)));
	const next = planPass(policy, atNextTurn(planInput(unmarked, { budget: 20_000 })));
	expect(next?.strips.flatMap(({ items }) => items)).toContain("1.0");
});

test("at the next message an output is worth what the pass goes by", () => {
	const use = (id: string) => [model(call(id, "read", { path: id }, 5, { paths: [id] })), result(id, 900)];
	const old = use("a.ts");
	const latest = use("b.ts");
	const turns = [person(5), ...old, model(text(5)), person(5), ...latest, model(text(5))];
	const weigh = (...drafts: readonly MessageDraft[]) =>
		weighAtNextTurn(cwl, planInput(fold(...turns, ...drafts), { budget: 100_000 }));
	// The same as once the message is there, before it is answered.
	const begun = cwl.weigh?.(planInput(fold(...turns, person(0)), { budget: 100_000 }));
	expect(begun?.map(({ age, chance }) => [age, chance])).toEqual(
		weigh().map(({ age, chance }) => [age, chance]),
	);
	expect(begun).toHaveLength(2);
	expect(weighAtNextTurn(paper, planInput(fold(...turns), { budget: 100_000 }))).toEqual([]);
});

test.each([paper, cwl])("a pass now under $name stops at low water, and none is made there", (policy) => {
	const input = inputOf(total + 10);
	const lowWater = lowWaterOf(policy, input);
	const pass = planManualPass(policy, input);
	expect(pass).toMatchObject({ budget: total + 10, before: total });
	expect(pass?.after).toBeLessThanOrEqual(lowWater);
	expect(planManualPass(policy, inputOf(total * 4))).toBeUndefined();
});
test("what is to come is asked about as if the cache were warm", () => {
	const asked: (boolean | undefined)[] = [];
	const policy: Policy = {
		name: "asked",
		plan(input) {
			asked.push(input.isCold);
			return undefined;
		},
	};
	planPass(policy, afterResults({ ...inputOf(total), isCold: true }, 1, "continues"));
	planPass(policy, atNextTurn({ ...inputOf(total), isCold: true }));
	// A cache that is cold now is cold when the next message comes.
	expect(asked).toEqual([undefined, true]);
});

const empty = passWith();

test("a pass now that takes of one episode alone is one, and one that takes nothing is none", () => {
	const input = { ...inputOf(total), lowWater: (total - 1) / total };
	expect(planManualPass(paper, input)?.strips.filter(({ level }) => level > 1)).toHaveLength(1);
	expect(planManualPass({ name: "idle", plan: () => empty }, input)).toBeUndefined();
});
