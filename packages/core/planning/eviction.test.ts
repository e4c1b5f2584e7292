import { expect, test } from "vitest";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { beginEviction, createEpisodeEviction } from "./eviction.ts";
import { collectUnits, episodeByItem } from "./units.ts";

const { call, episodeOf, failure, fold, labelOf, model, person, reasoning, result, text } = draft;

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
function begin(log: readonly Pass[] = []) {
	return beginEviction(planInput(graph, { budget: 0 }, viewOfLog(log)), 1_000, () => look);
}

test("what is gone is taken once, and what it would free is told without taking it", () => {
	const eviction = begin();
	expect(eviction.freedBy(look, itemOf("a"))).toBe(100);
	eviction.take(look, itemOf("b"), 2);
	expect(eviction.freedBy(look, itemOf("a"))).toBe(145);
	eviction.take(look, itemOf("b"), 2);
	expect(eviction.total()).toBe(955);
	expect(begin().strips()).toEqual([]);
});

test("a line counts, and stands only for an episode that the pass took something of", () => {
	const eviction = begin();
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

const worked = fold(
	person(),
	...expl("look", model(text(200), call("f", "read")), failure("f", 50)),
	...act("fix", ["look"], model(text(200))),
	...act("work", [], ...use("read", "r")),
	person(),
	model(text()),
);

/** Close these episodes one after the other; answers which of all are evicted then. */
function close(names: readonly string[], isHot: (message: number) => boolean = () => false) {
	const input = planInput(worked, { budget: 0 });
	const visible = collectUnits(
		worked,
		worked.episodes,
		removedBy(worked, () => false),
	);
	const eviction = beginEviction(input, 1_000, episodeByItem(worked, visible));
	const closer = createEpisodeEviction(input, visible, eviction, {
		isSpared: ({ items }) => isHot(items.at(-1)?.message ?? 0),
	});
	for (const name of names) closer.close(episodeOf(worked, name));
	return worked.episodes.filter(({ id }) => eviction.isEvicted(id)).map(({ name }) => name);
}

test("an episode without calls that worked goes whole, failed calls with it, and then the expl that was kept for it", () => {
	expect(close(["fix"])).toEqual(["look", "fix"]);
	expect(close(["look"])).toEqual([]);
	expect(close(["look", "fix"])).toEqual(["look", "fix"]);
});

test("an episode whose successful call is still in the context stays", () => {
	expect(close(["work"])).toEqual([]);
});

test("one is recent as long as its last message is, and no longer", () => {
	const fix = episodeOf(worked, "fix").items.map(({ message }) => message);
	const look = episodeOf(worked, "look").items.map(({ message }) => message);
	expect(close(["fix"], (message) => message === fix.at(-1))).toEqual([]);
	expect(close(["fix"], (message) => message === look.at(-1))).toEqual(["fix"]);
	expect(close(["fix"], (message) => message === 0 || message === fix[0] || message === look[0])).toEqual([
		"look",
		"fix",
	]);
});

test("one in the exchange in progress, and the open one, stay", () => {
	expect(close(worked.episodes.map(({ name }) => name))).toEqual(["look", "fix"]);
});
