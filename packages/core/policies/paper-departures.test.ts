/** Unmarked work: as the paper has it, and as `paper-adapted` departs from it. */
import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { shrink, use } from "../test-support/small-sessions.ts";
import { paperAdapted } from "./paper.ts";

const { model, person, text } = draft;

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
