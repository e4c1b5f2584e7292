import { expect, test } from "vitest";
import { episodeOf, fold, person } from "../test-support/message-builders.ts";
import { expl } from "../test-support/small-sessions.ts";
import { isOversized } from "./batch-policy.ts";

test("an episode has outgrown its share from a fifth of the budget on, that not included", () => {
	const look = episodeOf(fold(person(), ...expl("look")), "look");
	const outgrown = (tokens: number) => isOversized({ ...look, tokens }, 1_000);
	expect([outgrown(200), outgrown(201)]).toEqual([false, true]);
});
