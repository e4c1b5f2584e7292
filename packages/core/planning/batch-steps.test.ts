import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { evictionSteps, openScene } from "./batch-policy.ts";
import type { Candidate } from "./units.ts";

const { call, fold, model, note, person, result, text } = draft;

/** The calls and words of this session that a pass scores. */
function candidatesOf(...drafts: readonly draft.MessageDraft[]): readonly Candidate[] {
	const graph = fold(...drafts);
	const input = planInput(graph, { budget: 10 });
	const scored: Candidate[] = [];
	evictionSteps(openScene(input, graph.tokens), (candidate) => {
		scored.push(candidate);
		return 0;
	});
	return scored;
}

const later = [person(), model(text())];

test("an episode of words is as old as the last of them", () => {
	const said = [person(), model(text(10)), model(text(20)), note(30), ...later];
	const [words] = candidatesOf(...said);
	expect(words?.unit).toBeUndefined();
	expect(words).toMatchObject({ message: 3, tokens: 60 });
});

test("an output is as old as its call, and its size is that of both", () => {
	const read = [person(), model(text()), model(call("r", "read", {}, 10)), result("r", 90), ...later];
	expect(candidatesOf(...read)[0]).toMatchObject({
		unit: { call: { callId: "r" } },
		message: 2,
		tokens: 100,
	});
});
