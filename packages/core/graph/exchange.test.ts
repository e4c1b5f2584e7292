import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { awaitsResults, unmarkedKind } from "./fold.ts";

const { build, call, contents, exchange, fold, model, person, result, text } = draft;

test("a result that comes after the next message stays with its call", () => {
	const graph = fold(
		person(),
		model(call("w", "edit")),
		person(),
		...exchange(call("r", "read")),
		result("w"),
	);
	expect(contents(graph)).toEqual({ "unmarked-1": ["w", "w result"], "unmarked-2": ["r", "r result"] });
	expect(graph.resultOf.get("1.0")?.id).toBe("5.0");
	expect(graph.callOf.get("5.0")).toBe("1.0");
});

test("an exchange awaits results as long as one of its calls has none, whatever else it says", () => {
	const [message, ...answers] = build([
		model(text(), call("a", "read"), call("a", "read"), text()),
		result("a"),
		result("b"),
		result("a"),
	]);
	const results = answers.flatMap(({ items }) => items.filter((item) => item.type === "result"));
	const awaits = (count: number) =>
		awaitsResults({ blocks: message?.items ?? [], results: results.slice(0, count) });
	expect([awaits(0), awaits(1), awaits(2), awaits(3)]).toEqual([true, true, true, false]);
	expect(awaitsResults({ blocks: [], results: [] })).toBe(false);
});

test("unmarked work is an act once something is changed, an expl once something is looked at, else of no kind", () => {
	const kindOf = (...tools: readonly string[]) => {
		const [message] = build([model(text(), ...tools.map((tool, at) => call(`c${at}`, tool)))]);
		return unmarkedKind(message?.items ?? [], testTools);
	};
	expect(kindOf()).toBeUndefined();
	expect(kindOf("delimiter")).toBeUndefined();
	expect(kindOf("read", "delimiter")).toBe("expl");
	expect(kindOf("read", "edit", "read")).toBe("act");
});
