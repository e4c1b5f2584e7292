import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { createFold } from "./fold.ts";
import { timelineOf } from "./history.ts";

const { build, call, fold, model, person, result, silence, text } = draft;

test("user turns are counted, and silent messages are none", () => {
	const { history } = fold(person(), silence(), { author: "user", items: [] }, person());
	expect(history.turns).toEqual([1, 1, 1, 2]);
	expect(history.newest).toBe("3.0");
});

test("a request that failed, whose answer is empty, is none", () => {
	const { growth } = fold(person(), model(text(5)), person(7), model(), person(3), model(text(6))).history;
	expect(growth).toEqual([15, 6]);
});

test("digests are read on demand, and not again", () => {
	let made = 0;
	const digest = () => {
		made += 1;
		return { lines: [], paths: ["a.ts"] };
	};
	const edit = { ...call("a", "edit"), digest };
	const graphs = createFold(testTools);
	for (const message of build([model(edit), result("a")])) graphs.append(message);
	const { history } = graphs.read();
	expect(made).toBe(0);
	expect(history.contents().editedAt).toEqual(new Map([["a.ts", 10]]));
	const read = made;
	history.contents();
	expect(made).toBe(read);
});

const callOn = (tool: string, id: string, path: string) => call(id, tool, { path }, 5, { paths: [path] });
const time = timelineOf(
	fold(
		person(100),
		model(callOn("read", "r", "a.ts")),
		result("r", 20),
		person(7),
		{ author: "user", items: [] },
		model(callOn("edit", "e", "b.ts"), text(1)),
		result("e", 2),
	).history,
);

test("age is what came after the end of a message, evicted or not", () => {
	expect([0, 1, 2, 3, 5, 6].map(time.age)).toEqual([40, 35, 15, 8, 2, 0]);
	expect(time.age(99)).toBe(140);
});
