import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { call, episodeOf, failure, fold, model, person, text } from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { beginEviction, createEpisodeEviction } from "./eviction.ts";
import { collectUnits, episodeByItem } from "./units.ts";

const graph = fold(
	person(),
	...expl("look", model(text(200), call("f", "read")), failure("f", 50)),
	...act("fix", ["look"], model(text(200))),
	...act("work", [], ...use("read", "r")),
	person(),
	model(text()),
);

/** Close these episodes one after the other; answers which of all are evicted then. */
function close(names: readonly string[], isHot: (message: number) => boolean = () => false) {
	const input = planInput(graph, viewOfLog([]), { budget: 0 });
	const visible = collectUnits(
		graph,
		graph.episodes,
		removedBy(graph, () => false),
	);
	const eviction = beginEviction(input, 1_000, episodeByItem(graph, visible));
	const closer = createEpisodeEviction(input, visible, eviction, {
		isSpared: ({ items }) => isHot(items.at(-1)?.message ?? 0),
	});
	for (const name of names) closer.close(episodeOf(graph, name));
	return graph.episodes.filter(({ id }) => eviction.isEvicted(id)).map(({ name }) => name);
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
	const fix = episodeOf(graph, "fix").items.map(({ message }) => message);
	const look = episodeOf(graph, "look").items.map(({ message }) => message);
	expect(close(["fix"], (message) => message === fix.at(-1))).toEqual([]);
	expect(close(["fix"], (message) => message === look.at(-1))).toEqual(["fix"]);
	expect(close(["fix"], (message) => message === 0 || message === fix[0] || message === look[0])).toEqual([
		"look",
		"fix",
	]);
});

test("one in the exchange in progress, and the open one, stay", () => {
	expect(close(graph.episodes.map(({ name }) => name))).toEqual(["look", "fix"]);
});
