import { expect, test } from "vitest";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { answerOf, decidePass, fearOf, isWorthwhileEarly, likelyRequests } from "./payoff.ts";

/** A session with answers of 40 tokens, each to a message of 60. */
const session = (answers: number) =>
	fold(...Array.from({ length: answers }, () => [person(60), model(text(40))]).flat());

test("a session is expected to last for a third of its requests again", () => {
	expect([3, 30, 300].map((answers) => likelyRequests(session(answers)))).toEqual([1, 10, 100]);
});

test("a session of ten requests shows how long its answers are and how fast it grows; before, both are assumed", () => {
	const shown = (answers: number) => {
		const graph = session(answers);
		const { decision } = decidePass(planInput(graph, { budget: 1_000 }), passWith(), "over budget");
		return [answerOf(graph), decision?.growth];
	};
	expect(shown(9)).toEqual([300, 800]);
	expect(shown(10)).toEqual([40, 100]);
});

test("the dial says how much a second look is feared; a low water in numbers as the default does", () => {
	const dials = ["economy", "balanced", "quality", 0.5] as const;
	expect(dials.map((lowWater) => fearOf({ lowWater }))).toEqual([1.5, 4, 12, 4]);
	expect(fearOf({})).toBe(4);
});

test("a pass that nothing demands frees a twentieth of the budget", () => {
	const isWorth = (after: number) => isWorthwhileEarly({ budget: 1_000 }, 900, after);
	expect([isWorth(851), isWorth(850)]).toEqual([false, true]);
});
