import { expect, test } from "vitest";
import type { Pass, Strip } from "../log/pass.ts";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { act, expl, use } from "../test-support/small-sessions.ts";
import { firstTouched } from "./touched-messages.ts";

const graph = fold(
	person(),
	...expl("look", ...use("read", "r1")),
	...act("fix", ["look"], ...use("edit", "w1")),
	...expl("again", ...use("read", "r2")),
	person(),
	model(text()),
);
const [look, fix, again] = graph.episodes;

const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0, blockers: [] };

/** A strip of the whole episode at a place. */
function stripOf(place: number, change: Partial<Strip> = {}): Strip {
	const { id = "", items = [] } = graph.episodes[place] ?? {};
	return { episode: id, level: 4, items: items.map((item) => item.id), tokens: 0, ...change };
}
const first = (strips: readonly Strip[], change: Partial<Pass> = {}) =>
	firstTouched(graph, { ...sizes, strips, ...change });
const beginOf = (episode: typeof look) => episode?.items[0]?.message;

test("a pass changes nothing in front of the oldest episode that it took something of, in whatever order", () => {
	expect(first([stripOf(2)])).toBe(beginOf(again));
	expect(first([stripOf(1)])).toBe(beginOf(fix));
	expect(first([stripOf(2), stripOf(1)])).toBe(beginOf(fix));
	expect(first([stripOf(0), stripOf(2)])).toBe(beginOf(look));
	expect(first([stripOf(graph.episodes.length - 1)])).toBe(graph.messages.length - 1);
});

test("a line of its own may stand in the episode, and nowhere else", () => {
	const marker = { anchor: fix?.items[0]?.id ?? "", text: "gone", tokens: 1 };
	expect(first([stripOf(1, { marker })])).toBe(beginOf(fix));
	expect(first([stripOf(2, { marker })])).toBe(0);
});

test("the whole history is read again where the strips do not tell", () => {
	const fade = { episode: "fix", item: "1.0", age: 1 as const, tokens: 1 };
	const release = { item: "0.0", head: 1, tail: 1, mark: "...", tokens: 1 };
	const index = { episodes: ["look"], marker: { anchor: "1.0", text: "x", tokens: 1 } };
	expect(first([stripOf(2)], { fades: [fade] })).toBe(0);
	expect(first([stripOf(2)], { releases: [release] })).toBe(0);
	expect(first([stripOf(2)], { folds: [index] })).toBe(0);
	expect(first([stripOf(2), stripOf(2)])).toBe(0);
	expect(first([stripOf(2), stripOf(1, { episode: "nobody" })])).toBe(0);
	expect(first([stripOf(2, { items: stripOf(1).items })])).toBe(0);
});
