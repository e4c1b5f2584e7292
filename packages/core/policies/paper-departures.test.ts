/** Unmarked work and failed calls: as the paper has them, and as `paper-adapted` departs from it. */
import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { act, expl, shrink, use } from "../test-support/small-sessions.ts";
import { paperAdapted } from "./paper.ts";

const { call, model, person, text } = draft;

const readThenMarks = [
	person(),
	...use("edit", "w"),
	...expl("look", ...use("read", "r")),
	...use("read", "between"),
	...expl("more", ...use("read", "m")),
	...act("fix", [], ...use("read", "q")),
	person(),
	model(text()),
];

test("work before the first mark is prologue, and unmarked work takes its place by age among the expls", () => {
	const titles = shrink(readThenMarks, 100_000).levels?.map(([episode]) => episode);
	expect(titles).toEqual(["fix", "look", "unmarked-3", "more"]);
});

test("adapted, unmarked work goes last in a session that has marks, that before the first mark included", () => {
	const titles = shrink(readThenMarks, 100_000, [], paperAdapted).levels?.map(([episode]) => episode);
	expect(titles).toEqual(["fix", "look", "more", "unmarked-1", "unmarked-3"]);
});

test("adapted, in a session without any mark, runs that wrote go before runs that read", () => {
	const session = [person(), ...use("read", "r"), ...use("edit", "w"), person(), model(text())];
	const titles = shrink(session, 100_000, [], paperAdapted).levels?.map(([episode]) => episode);
	expect(titles).toEqual(["unmarked-2", "unmarked-1"]);
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

const failing = [model(call("bad", "read")), draft.failure("bad", 90)];
const failed = [person(), ...act("fix", [], ...failing, ...use("read", "good")), model(text())];

test("adapted, a failed call stays until its episode goes", () => {
	expect(shrink(failed, 1, [], paperAdapted).evicted).toEqual(["reasoning", "good", "good result"]);
	expect(shrink(failed, 121, [], paperAdapted).evicted).toContain("bad result");
});
