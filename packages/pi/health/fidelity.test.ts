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

	const used = ["src/a.ts and src/b.ts", "1000"];

	test.each([
		["as named, or as neither", gone, [], used, { facts: 3, visible: 0, named: 2 }],
		["as visible", gone, ["see src/b.ts"], used, { facts: 3, visible: 1, named: 2 }],
		["once", gone, ["1000", "src/a.ts and src/b.ts"], used, { facts: 3, visible: 3, named: 0 }],
		["only if the model used it", gone, [], ["1000"], { facts: 1, visible: 0, named: 1 }],
		["not while nothing was evicted", [], ["src/a.ts"], used, { facts: 0, visible: 0, named: 0 }],
	])("counts each fact %s", (_, evicted, visible, words, fidelity) => {
		expect(compareFacts(evicted, visible, words)).toEqual(fidelity);
	});

	test("of a session is measured on its own texts, before and after a pass", () => {
		const messages = say.inOrder(
			say.user("which limits?"),
			say.reply([
				say.calls("s", "delimiter", { action: "start", name: "max_items_2", type: "expl" }),
				say.calls("r", "read", { path: "src/limits.ts" }),
			]),
			say.result("s", "started max_items_2"),
			say.result("r", `const MAX_ITEMS = 4096;\n${"other_name_1 = 5000\n".repeat(30)}`),
			say.reply([say.says("Next is other_name_1."), say.calls("f", "bash", { command: "grep 5000" })]),
			say.result("f", "src/unused.ts"),
			say.reply(say.calls("e", "delimiter", { action: "end", description: "MAX_ITEMS is 4096" })),
			say.result("e", "ended"),
			say.reply("It is 4096."),
			say.user("and now?"),
			say.reply("Now is later."),
		);
		const session = open();
		const source = () => ({ messages, ...session.inspect(messages) });
		expect(measureFidelity(source(), source().view).facts).toBe(0);
		session.request(messages, under(0));
		const { facts, visible, named } = measureFidelity(source(), source().view);
		// The description shows two; the others come back by recall. Nobody used the last file.
		expect([facts, visible, named]).toEqual([4, 2, 2]);
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
