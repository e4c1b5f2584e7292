import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { createFold } from "./fold.ts";
import { readRecalls, timelineOf } from "./history.ts";

const { build, call, fold, model, person, result, silence, text } = draft;

test("user turns are counted, and silent messages are none", () => {
	const { history } = fold(person(), silence(), { author: "user", items: [] }, person());
	expect(history.turns).toEqual([1, 1, 1, 2]);
	expect(history.newest).toBe("3.0");
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

test("an output that names a new file or a new name shows something new", () => {
	const shown = (id: string, names: readonly number[], path: string) =>
		result(id, 10, { paths: [path], names });
	const { history } = fold(
		model(call("a", "bash"), call("b", "bash"), call("c", "bash"), call("d", "bash")),
		shown("a", [1], "a.ts"),
		shown("b", [1], "b.ts"),
		shown("c", [1, 2], "a.ts"),
		shown("d", [2], "b.ts"),
	);
	expect([...history.contents().withoutNews]).toEqual(["4.0"]);
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

test("turns are those of people, and who says nothing takes none", () => {
	expect([0, 2, 3, 6].map(time.turns)).toEqual([1, 1, 0, 0]);
	expect(time.turns(99)).toBe(2);
});

test("files are named by calls and edited by edits; one that never was is as old as the session", () => {
	expect(time.sinceNamed(["a.ts"])).toBe(35);
	expect(time.sinceNamed(["a.ts", "b.ts"])).toBe(2);
	expect(time.sinceEdited(["b.ts"])).toBe(2);
	expect(time.sinceEdited(["a.ts"])).toBe(140);
	expect(time.sinceNamed([])).toBe(140);
});

/** The kind of each of these calls, by its arguments, in one session. */
function verdicts(...calls: readonly (readonly [tool: string, args: Record<string, unknown>])[]) {
	const graph = fold(person(), ...calls.map(([tool, args], at) => model(call(`c${at}`, tool, args))));
	const recalled = readRecalls(graph.history);
	return graph.messages.flatMap(({ items }) =>
		items.flatMap((item) => (item.type === "call" ? [recalled(item)] : [])),
	);
}

test("the newest copy of what was asked for more than once is asked for again, every other copy once", () => {
	const first = { query: "look" };
	const same = { query: " LOOK " };
	const other = { query: "lock" };
	expect(verdicts(["recall", first], ["recall", other], ["recall", same])).toEqual(["once", "once", "again"]);
	expect(verdicts(["read", first], ["recall", first], ["read", first])).toEqual([
		undefined,
		"once",
		undefined,
	]);
});

test("each page is a thing of its own, the first one when none is named", () => {
	const page = (number: number) => ({ query: "look", page: number });
	expect(verdicts(["recall", page(2)], ["recall", page(1)])).toEqual(["once", "once"]);
	expect(verdicts(["recall", { query: "look" }], ["recall", page(1)])).toEqual(["once", "again"]);
	expect(verdicts(["recall", page(2)], ["recall", page(2)])).toEqual(["once", "again"]);
});
