import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { evictionSteps, openScene } from "./batch-policy.ts";
import { type Candidate, collectUnits, episodeByItem } from "./units.ts";

const { exchange, call, fold, model, note, person, reasoning, result, text } = draft;

test("a unit counts its call, its result and duplicate results; without a result only its call", () => {
	const graph = fold(
		person(),
		model(call("a", "read", {}, 5), call("b", "read", {}, 7)),
		result("a", 90),
		result("a", 40),
	);
	const { units } = collectUnits(graph, viewOfLog([]), graph.episodes);
	expect(units.map(({ tokens }) => tokens)).toEqual([135, 7]);
});

test("an item that is no unit is found in its episode, visible or not", () => {
	const graph = fold(
		person(),
		...exchange(reasoning(), call("a", "read")),
		person(),
		model(reasoning(), text()),
	);
	const [first, second] = graph.episodes;
	if (!first || !second) throw new Error("two runs are needed");
	const episodeOf = episodeByItem(graph, collectUnits(graph, viewOfLog([]), [second]));
	const [inFirst, inSecond] = [first, second].map(({ items }) => items[0]);
	expect([inFirst, inSecond].map((item) => item && episodeOf(item))).toEqual([first, second]);
	const moved = { ...second, items: [] };
	const onlySeen = episodeByItem(
		{ ...graph, episodes: [moved] },
		collectUnits(graph, viewOfLog([]), [second]),
	);
	expect(inSecond && onlySeen(inSecond)).toBe(second);
});

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

test("an episode of words is as old as the last of them", () => {
	const said = [person(), model(text(10)), model(text(20)), note(30), person(), model(text())];
	const [words] = candidatesOf(...said);
	expect(words?.call).toBeUndefined();
	expect(words).toMatchObject({ message: 3, tokens: 60 });
});
