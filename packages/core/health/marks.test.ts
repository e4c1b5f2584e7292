import { expect, test } from "vitest";
import {
	call,
	end,
	fold,
	model,
	person,
	result,
	startAct,
	startExpl,
} from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { measureMarks } from "./marks.ts";

test("a session without marks has no figures of marks", () => {
	expect(measureMarks(fold(person(), model(call("r", "read"))), testTools)).toBeUndefined();
});

test("marks that contradict the work, lack a dependency, or stay open are counted", () => {
	const graph = fold(
		person(),
		...[model(startExpl("1", "find")), result("1"), model(call("e", "edit", { path: "a" })), result("e")],
		...[model(end("2", "found")), result("2"), model(startAct("3", "look")), result("3")],
		...[model(call("r", "read", { path: "a" })), result("r"), model(end("4")), result("4")],
		...[
			model(startAct("5", "fix", "find")),
			result("5"),
			model(call("w", "write", { path: "b" })),
			result("w"),
		],
	);
	const marks = measureMarks(graph, testTools);
	expect(marks).toMatchObject({
		...{ episodes: 3, open: 1, actsWithoutDependencies: 1, explsThatEdit: 1, actsThatOnlyRead: 1 },
	});
	expect(marks?.share).toBeGreaterThan(0.5);
});
