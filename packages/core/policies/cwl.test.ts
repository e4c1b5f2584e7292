import { describe, expect, test } from "vitest";
import { isOversized } from "../planning/evictable.ts";
import * as draft from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { ending, open, passOfCwl as pass, useFile as use } from "../test-support/small-sessions.ts";

const { answered, call, failure, model, person, text } = draft;

const fails = (tokens: number) => [model(call("f", "read")), failure("f", tokens)];

describe("a pass", () => {
	const session = [
		person(),
		...Array.from({ length: 10 }, (_, at) => use("read", `r${at}`)).flat(),
		...ending,
	];

	test("happens only above the budget, and goes down to low water in one batch", () => {
		const { total } = pass(session);
		expect(pass(session, { budget: total }).pass).toBeUndefined();
		const { pass: made } = pass(session, { lowWater: 0.6 });
		expect(made?.after).toBeLessThanOrEqual(0.6 * (total - 1));
		expect(made?.strips.length).toBeGreaterThan(0);
	});

	test("takes no step beyond its target, nor anything spared for a budget that is just met", () => {
		const first = pass(session, { lowWater: 0.6 });
		const again = pass(session, { lowWater: (first.pass?.after ?? 0) / (first.total - 1) });
		expect(again.pass?.after).toBe(first.pass?.after);
		const begun = [person(), ...open("look", ...use("grep", "g1"), ...use("grep", "g2")), model(text(400))];
		const { total } = pass(begun);
		const take = (less: number) => pass(begun, { budget: total - less, lowWater: 1 });
		const line = take(1).pass?.strips[0]?.marker;
		expect(line?.text).toContain("evicted in part, still open");
		const freed = 100 - (line?.tokens ?? 0);
		expect(take(freed).evicted).toEqual(["g1", "g1 result"]);
		expect(take(freed + 1).evicted).toEqual(["g1", "g1 result", "g2", "g2 result"]);
	});

	test("leaves short answers that a line would not shorten, as long as outputs alone meet the budget", () => {
		const asked = Array.from({ length: 4 }, () => [person(5), model(text(15))]).flat();
		const read = Array.from({ length: 8 }, (_, at) => use("read", `r${at}`)).flat();
		const drafts = [...asked, person(5), ...read, ...ending];
		const texts = (lowWater: number) =>
			pass(drafts, { lowWater }).evicted.filter((label) => label === "text");
		expect(pass(drafts, { lowWater: 0.6 }).evicted).toContain("r0");
		expect([0.6, 0.1].flatMap(texts)).toEqual([]);
	});

	test("takes short answers without a line once nothing else meets the budget", () => {
		const drafts = [
			person(5),
			...Array.from({ length: 40 }, () => [person(5), model(text(15))]).flat(),
			...ending,
		];
		const { pass: made, evicted } = pass(drafts, { lowWater: 0.6 });
		expect(evicted.filter((label) => label === "text").length).toBeGreaterThan(0);
		// Halfway from low water to the budget, and no answer further.
		const target = 0.8 * (made?.budget ?? 0);
		expect(made?.after).toBeLessThanOrEqual(target);
		expect(made?.after).toBeGreaterThan(target - 15);
	});

	test("tells what it was decided on", () => {
		const prices = flatPrices({ write: 1.25 });
		const { pass: made } = pass(session, { lowWater: 0.6, prices });
		expect(made?.decision).toMatchObject({
			reason: "over budget",
			freed: (made?.before ?? 0) - (made?.after ?? 0),
			requestsToNext: Math.floor(((made?.budget ?? 0) - (made?.after ?? 0)) / ((made?.before ?? 0) / 11)),
		});
		expect(made?.decision?.paidBackAfter).toBeGreaterThan(0);
	});
});

describe("what is spared goes only when the budget would break", () => {
	test("what worked before what failed, though that is older", () => {
		const session = [person(), ...fails(90), ...use("read", "hot"), model(text(1))];
		const { total } = pass(session);
		// Its line takes some of what it frees.
		expect(pass(session, { budget: total - 60, lowWater: 1 }).evicted).toEqual(["hot", "hot result"]);
		expect(pass(session, { budget: total - 101, lowWater: 1 }).evicted).toContain("f");
	});

	test("the hot tail, and never the exchange in progress", () => {
		const session = [
			person(),
			...use("read", "old"),
			...use("read", "hot"),
			...answered(90, call("now", "read"), text(10)),
		];
		expect(pass(session, { budget: 300 }).evicted).toEqual(["old", "old result"]);
		const { evicted, pass: made } = pass(session, { budget: 20 });
		expect(evicted).toEqual(["old", "old result", "hot", "hot result"]);
		expect(made?.blockers.length).toBeGreaterThan(0);
	});
});

test("the hot tail is a tenth of what user turns and prologue leave of the budget", () => {
	const session = (since: number) => [
		person(10),
		...fails(600),
		...use("grep", "g"),
		model(text(since - 11)),
		person(10),
		model(text(1)),
	];
	// Of a budget of 1,020 people wrote 20: what is younger than 100 tokens is hot.
	const takes = (since: number) =>
		pass(session(since), { budget: 1_020, lowWaterTokens: 0 }).evicted.includes("g");
	expect([takes(99), takes(100)]).toEqual([false, true]);
});

const useOf = (tool: string, id: string, tokens: number) => answered(tokens, call(id, tool));

/** The calls that a pass under this budget takes from a session that has just begun its next exchange. */
function plan(drafts: readonly draft.MessageDraft[], budget: number, lowWater = 0.65) {
	const made = pass([...drafts, model(text(5))], { budget, lowWater });
	return { ...made, taken: made.evicted.filter((label) => !/^(reasoning|text)$| result$/.test(label)) };
}

const work = [
	...useOf("read", "r1", 900),
	...useOf("grep", "g1", 900),
	...useOf("read", "r2", 900),
	...useOf("grep", "g2", 900),
	...useOf("bash", "late", 500),
];
const opened = [person(), ...draft.exchange(draft.startExpl("s", "look")), ...work];

test("before the budget breaks, bulk outputs of an open episode go first, each kind oldest first", () => {
	const { total } = plan(opened, 1);
	const taken = (less: number) => plan(opened, total - less, 0.9).taken;
	expect([taken(1), taken(1_000), taken(1_900)]).toEqual([["g1"], ["g1", "g2"], ["r1", "g1", "g2"]]);
});

test("what a pass takes of an open episode leaves room for some requests, so that not every request is a pass", () => {
	const { pass, total } = plan(opened, 3_000, 0.5);
	expect(pass?.before).toBe(total);
	expect(pass?.after).toBeLessThanOrEqual(0.75 * 3_000);
});

test("a run that nobody marked is not waited for once it has outgrown a fifth of the budget, that not included", () => {
	const { taken, total } = plan([person(), ...work], 4_100, 0.9);
	expect(total).toBeGreaterThan(4_100);
	expect(taken).toEqual(["r1"]);
	const short = [person(), ...useOf("read", "old", 3_000), person(), ...useOf("grep", "g", 500)];
	expect(plan(short, 3_500, 0.9).taken).toEqual(["old"]);
	const look = draft.episodeOf(draft.fold(...opened), "look");
	expect([200, 201].map((tokens) => isOversized({ ...look, tokens }, 1_000))).toEqual([false, true]);
});
