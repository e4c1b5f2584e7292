import { describe, expect, test } from "vitest";
import * as say from "../test-support/host-messages.ts";
import { open, under } from "../test-support/host-runs.ts";
import { compareFacts, findFacts, measureFidelity, printsName } from "./fidelity.ts";

describe("key facts", () => {
	test("are paths, identifiers, numbers and lines that tell of an error", () => {
		const text =
			"src/limits.ts exports MAX_ITEMS = 4096\n  TypeError: failed to parse\nall 12 is well in v1.2.3";
		expect([...findFacts(text)]).toEqual([
			"src/limits.ts",
			"MAX_ITEMS",
			"TypeError",
			"4096",
			"TypeError: failed to parse",
		]);
	});

	test("of plain words there are none", () => {
		expect([...findFacts("The tests pass and nothing is left to do, e.g. here.")]).toEqual([]);
	});
});

describe("fidelity", () => {
	const gone = [
		{ text: "src/a.ts 1000", isNamed: true },
		{ text: "src/b.ts 1000", isNamed: false },
	];

	test("counts each fact once, as visible, as named, or as neither", () => {
		expect(compareFacts(gone, [])).toEqual({ facts: 3, visible: 0, named: 2 });
		expect(compareFacts(gone, ["see src/b.ts"])).toEqual({ facts: 3, visible: 1, named: 2 });
		expect(compareFacts(gone, ["1000", "src/a.ts and src/b.ts"])).toEqual({ facts: 3, visible: 3, named: 0 });
	});

	test("is whole while nothing was evicted", () => {
		expect(compareFacts([], ["src/a.ts"])).toEqual({ facts: 0, visible: 0, named: 0 });
	});

	test("of a session is measured on its own texts, before and after a pass", () => {
		const messages = say.inOrder(
			say.user("which limits?"),
			say.reply([
				say.calls("s", "delimiter", { action: "start", name: "limits", type: "expl" }),
				say.calls("r", "read", { path: "src/limits.ts" }),
			]),
			say.result("s", [say.words("started")]),
			say.result("r", [say.words(`const MAX_ITEMS = 4096;\n${"other_name_1 = 5000\n".repeat(30)}`)]),
			say.reply([say.calls("e", "delimiter", { action: "end", description: "MAX_ITEMS is 4096" })]),
			say.result("e", [say.words("ended")]),
			say.reply([say.says("It is 4096.")]),
			say.user("and now?"),
			say.reply([say.says("Now is later.")]),
		);
		const session = open();
		const source = () => ({ messages, ...session.inspect(messages) });
		expect(measureFidelity(source(), source().view).facts).toBe(0);
		session.request(messages, under(0));
		const { facts, visible, named } = measureFidelity(source(), source().view);
		// Visible is what the description says; the file and what nobody put into words come back by recall.
		expect([facts, visible, named]).toEqual([5, 2, 3]);
	});

	test.each([
		["evicted: limits, 4 calls", true],
		['start "limits"', true],
		["evicted: limits-2", false],
		["evicted 4 episodes from alpha to omega", false],
	])("%j prints the name limits: %j", (text, isPrinted) => {
		expect(printsName(text, "limits")).toBe(isPrinted);
	});
});
