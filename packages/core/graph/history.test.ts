import { expect, test } from "vitest";
import {
	build,
	call,
	fold,
	model,
	note,
	person,
	result,
	silence,
	text,
} from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { createFold } from "./fold.ts";
import { historyAfterAnswer } from "./history.ts";

const _recall = (id: string, query: string, page?: number) =>
	call(id, "recall", { query, ...(page !== undefined && { page }) });

test("a request grows by its answer and everything up to the next one", () => {
	const { history } = fold(
		person(100),
		model(call("a", "read", {}, 5)),
		result("a", 20),
		note(3),
		model(text(7)),
	);
	expect(history.growth).toEqual([28, 7]);
	expect(history.grown).toBe(35);
	expect(history.ends).toEqual([100, 105, 125, 128, 135]);
});

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
	const shown = (id: string, names: readonly number[], ...paths: readonly string[]) => ({
		...result(id),
		items: result(id).items.map((item) => ({ ...item, digest: { lines: [], paths, names } })),
	});
	const { history } = fold(
		model(call("a", "bash"), call("b", "bash"), call("c", "bash"), call("d", "bash")),
		shown("a", [1], "a.ts"),
		shown("b", [1], "b.ts"),
		shown("c", [1, 2], "a.ts"),
		shown("d", [2], "b.ts"),
	);
	expect([...history.contents().withoutNews]).toEqual(["4.0"]);
});

test("the history after an answer leaves the given one as it is", () => {
	const { history } = fold(person(10), model(text(5)));
	const after = historyAfterAnswer(history, { type: "text", id: "x", message: 2, tokens: 4 });
	expect([after.growth, after.ends, after.newest]).toEqual([[5, 4], [10, 15, 19], "x"]);
	expect([history.growth, history.ends, history.newest]).toEqual([[5], [10, 15], "1.0"]);
});
