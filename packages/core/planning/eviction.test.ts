import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { expl } from "../test-support/small-sessions.ts";
import { beginEviction, createEpisodeEviction, draftPass } from "./eviction.ts";

const { call, episodeOf, fold, labelOf, model, person, reasoning, result, text } = draft;

const graph = fold(
	person(),
	...expl(
		"look",
		model(reasoning(20), call("a", "read"), call("b", "grep", {}, 5)),
		result("a", 90),
		result("b", 40),
	),
	person(),
	model(text()),
);
const look = episodeOf(graph, "look");
const itemOf = (label: string) => look.items.filter((item) => labelOf(item) === label);

test("a line counts, and stands only for an episode that the pass took something of", () => {
	const eviction = beginEviction(planInput(graph, { budget: 0 }), 1_000, () => look);
	const marker = { anchor: "1.0", text: "gone", tokens: 7 };
	eviction.mark(look, marker);
	expect([eviction.total(), eviction.strips()]).toEqual([1_000, []]);
	eviction.take(look, itemOf("a"), 4);
	eviction.mark(look, marker);
	expect(eviction.total()).toBe(907);
	expect(eviction.strips()).toMatchObject([{ level: 4, marker }]);
	expect(eviction.isEvicted("look")).toBe(true);
	eviction.mark(look, { ...marker, tokens: 9 });
	expect(eviction.total()).toBe(909);
});

test("words stay where their line is longer than what is sent of them: another model's thinking is not", () => {
	const thought = { type: "reasoning", tokens: 200, sealed: 200, sealedBy: "a" } as const;
	const answers = fold(person(), model(thought, text(10)), person(), model(text()), person());
	const [answer] = answers.episodes;
	const levelUnder = (used: string) => {
		const drafted = draftPass(planInput(answers, { budget: 0, model: used }), 1_000);
		if (answer) createEpisodeEviction(drafted).close(answer);
		return drafted.eviction.strips()[0]?.level;
	};
	expect([levelUnder("a"), levelUnder("b")]).toEqual([4, undefined]);
});

test("reasoning that leads nowhere is taken from the episode that it is in, else from the one at hand", () => {
	const other = { ...look, id: "other" };
	for (const [home, episodes] of [
		[other, ["look", "other"]],
		[undefined, ["look"]],
	] as const) {
		const eviction = beginEviction(planInput(graph, { budget: 0 }), 1_000, () => home);
		eviction.take(look, [...itemOf("a"), ...itemOf("b")], 3);
		expect(eviction.strips().map(({ episode }) => episode)).toEqual(episodes);
		expect(eviction.strips().at(-1)?.level).toBe(home ? 1 : 3);
	}
});
