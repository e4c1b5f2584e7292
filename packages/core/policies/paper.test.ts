import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { act, expl, lookAndFix, mark, open, shrink, use } from "../test-support/small-sessions.ts";
import { paper, paperAdapted } from "./paper.ts";

const { answered, call, exchange, model, person, reasoning, result, text } = draft;

test("at the budget there is no pass, one token above it there is", () => {
	expect(shrink(lookAndFix, 0).pass).toBeUndefined();
	expect(shrink(lookAndFix, 1).pass?.strips).toHaveLength(1);
});

test("an output that has reduced frees only what is left of it", () => {
	const [call] = draft.labelled(draft.fold(...lookAndFix), "g2");
	const reductions = [{ episode: "fix", item: call?.id ?? "", form: 2, tokens: 60 } as const];
	const whole = shrink(lookAndFix, 1).pass;
	const { pass, total } = shrink(lookAndFix, 1, [passWith({ reductions })]);
	expect(total).toBe((whole?.before ?? 0) - 60);
	expect(pass?.after).toBe(whole?.after);
});

test("a removed expl to which a result comes late gives it up, and gets no second line", () => {
	const session = [person(), ...expl("look", ...use("read", "r")), person(), model(text())];
	const first = shrink(session, 100_000);
	expect(first.pass?.strips[0]?.marker).toBeDefined();
	const later = [...session, result("r", 900), person(), model(text())];
	const { pass, evicted } = shrink(later, 100, first.log);
	expect(evicted.filter((label) => label === "r result")).toHaveLength(2);
	expect(pass?.strips.map(({ level, marker }) => [level, marker])).toEqual([[4, undefined]]);
});

test("an episode that reaches into the exchange in progress gives up levels 1 to 3 of what came before it", () => {
	const session = [
		person(),
		...act("fix", [], ...use("read", "a"), ...use("edit", "b")).slice(0, -2),
		model(call("c", "read"), mark(draft.end("fix end"))),
		result("c", 90),
		result("fix end", 1),
	];
	const first = shrink(session, 100_000);
	expect(first.levels).toEqual(["fix 3"]);
	expect(first.evicted).toEqual(["reasoning", "a", "a result"]);
	const later = shrink([...session, model(text())], 1, first.log);
	expect(later.evicted).toEqual(["reasoning", "a", "a result", "c", "c result"]);
});

test("a strip of an episode in progress names the level that it reached", () => {
	const session = [
		person(),
		...expl("look", ...use("read", "a")).slice(0, -2),
		person(),
		model(call("b", "grep"), mark(draft.end("look end", "x"))),
		result("b", 90),
		result("look end", 100),
	];
	for (const policy of [paper, paperAdapted]) {
		expect(shrink(session, 1, [], policy).levels).toEqual(["look 1"]);
	}
});

test("unmarked work in progress gives up what it can, and is not called evicted", () => {
	const work = ["a", "b", "c"].flatMap((id) => use("edit", id));
	const { levels, evicted } = shrink([person(), ...work], 100_000);
	expect(evicted).toEqual(["reasoning", "b", "b result"]);
	expect(levels).toEqual(["unmarked-1 3"]);
});

test("a description that is as long as what it stands for keeps its episode at level 3", () => {
	const description = "long ".repeat(100);
	const session = [
		person(),
		...open("look"),
		...use("read", "r"),
		...use("read", "q"),
		...answered(1, mark(draft.end("e", description))),
		model(text()),
	];
	const first = shrink(session, 100_000);
	expect(first.levels).toEqual(["look 3"]);
	expect(first.pass?.strips[0]?.marker).toBeUndefined();
	expect(first.pass?.after).toBe(first.total - 240);
	expect(shrink(session, 100_000, first.log).pass?.strips).toEqual([]);
});

test("a line that costs what it stands for is not set, one that costs a token less is", () => {
	const graph = draft.fold(person(), ...expl("look"), person(), model(text()));
	const strips = (tokens: number) =>
		paper.plan({ ...planInput(graph, { budget: 1 }), countMarker: () => tokens })?.strips;
	const { tokens } = draft.episodeOf(graph, "look");
	expect(strips(tokens)).toEqual([]);
	expect(strips(tokens - 1)).toMatchObject([{ level: 4, marker: { tokens: tokens - 1 } }]);
});

test("a result too many leaves with bulk outputs, never after its call", () => {
	const session = [
		person(),
		...act("fix", [], model(call("r", "read")), result("r"), result("r"), result("nobody")),
		model(text()),
	];
	expect(shrink(session, 1).evicted).toEqual(["r result", "nobody result"]);
	expect(shrink(session, 21).evicted).toEqual(["r", "r result", "r result", "nobody result"]);
});

test("a pass that reaches exactly its budget has met it", () => {
	const { pass } = shrink(lookAndFix, 120);
	expect(pass).toMatchObject({ policy: "paper", after: pass?.budget, blockers: [] });
	expect(pass).not.toHaveProperty("indexLines");
});

test("an expl that shares its reasoning with later work is asked again when that work has gone", () => {
	const session = [
		person(),
		...answered(1, call("o", "ls")),
		model(
			reasoning(500),
			mark(draft.startExpl("s", "look")),
			mark(draft.end("e", "long ".repeat(40))),
			call("r", "read"),
		),
		...["s", "e", "r"].map((id) => result(id)),
		...exchange(mark(draft.startExpl("s2", "more"))),
		model(text()),
	];
	expect(shrink(session, 12, [], paperAdapted).levels).toEqual(["unmarked-1 4", "unmarked-3 3"]);
	expect(shrink(session, 101, [], paperAdapted).levels).toEqual(["unmarked-1 4", "unmarked-3 4", "look 4"]);
});

test("adapted, in a session without any mark, runs that wrote go before runs that read", () => {
	const session = [person(), ...use("read", "r"), ...use("edit", "w"), person(), model(text())];
	expect(shrink(session, 100_000, [], paperAdapted).levels).toEqual(["unmarked-2 4", "unmarked-1 4"]);
});

test("the unmarked work in progress can be stripped up to the exchange that the model has not answered", () => {
	const session = [
		person(),
		model(text()),
		person(),
		...use("read", "a"),
		...use("read", "b"),
		...use("read", "c"),
	];
	// Providers want the beginning of the open tool loop.
	expect(shrink(session, 1).evicted).toEqual(["reasoning", "b", "b result"]);
	expect(shrink(session, 100_000).evicted).toEqual(["text", "reasoning", "b", "b result"]);
	expect(shrink(session, 100_000, [], paperAdapted).evicted).toEqual(["text"]);
});
