import { expect, test } from "vitest";
import { call, fold, model, person } from "../test-support/message-builders.ts";
import { readRecalls } from "./history.ts";

/** The kind of each of these calls, by its arguments, in one session. */
function verdicts(...calls: readonly (readonly [tool: string, args: Record<string, unknown>])[]) {
	const graph = fold(person(), ...calls.map(([tool, args], at) => model(call(`c${at}`, tool, args))));
	const recalled = readRecalls(graph.history);
	return graph.messages.flatMap(({ items }) =>
		items.flatMap((item) => (item.type === "call" ? [recalled(item)] : [])),
	);
}

test("the newest copy of what was asked for more than once is asked for again, every other copy once", () => {
	const [first, same, other] = [{ query: "look" }, { query: " LOOK " }, { query: "lock" }];
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

test("what is no query is asked for like nothing", () => {
	expect(verdicts(["recall", { query: 5 }], ["recall", {}], ["recall", { query: "5" }])).toEqual([
		"once",
		"again",
		"once",
	]);
});
