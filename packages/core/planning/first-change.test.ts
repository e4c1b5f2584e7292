import { expect, test } from "vitest";
import type { Pass, Strip } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { call, fold, model, person, result, text } from "../test-support/message-builders.ts";
import { firstChange } from "./thinking.ts";

const graph = fold(
	person(),
	model(text(), call("a", "read")),
	result("a"),
	model(call("b", "read")),
	result("b"),
	model(text()),
);
const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0, blockers: [] };
const strip = (items: readonly string[], anchor?: string, line = "gone"): Strip => ({
	...{ episode: items.join(), level: 4, items, tokens: 1 },
	...(anchor !== undefined && { marker: { anchor, text: line, tokens: 1 } }),
});
const taking = (...strips: readonly Strip[]): Pass => ({ ...sizes, strips });
const fading = (age: 1 | 2): Pass => ({
	...taking(),
	fades: [{ episode: "e", item: "1.1", age, tokens: 5 }],
});
const releasing = (mark: string): Pass => ({
	...taking(),
	releases: [{ item: "0.0", head: 1, tail: 1, mark, tokens: 2 }],
});

/** The first message that is sent differently after these passes than after those, both ways. */
function changes(before: readonly Pass[], after: readonly Pass[]): number {
	const [old, now] = [viewOfLog(before), viewOfLog(after)];
	const first = firstChange(graph, old, now);
	expect(firstChange(graph, now, old)).toBe(first);
	return first;
}

test("nothing has changed where both send the same", () => {
	for (const pass of [taking(), taking(strip(["1.1"], "3.0")), fading(1), releasing("...")]) {
		expect(changes([pass], [pass])).toBe(graph.messages.length);
	}
});

test("a message that one of them leaves out, sends in part, fades or shortens is the first change", () => {
	expect(changes([], [taking(strip(["3.0"]))])).toBe(3);
	expect(changes([], [taking(strip(["1.1"]))])).toBe(1);
	expect(changes([taking(strip(["1.0"]))], [taking(strip(["1.1"]))])).toBe(1);
	expect(changes([], [taking(strip(["5.0"]))])).toBe(5);
	expect(changes([], [fading(1)])).toBe(2);
	expect(changes([fading(1)], [fading(2)])).toBe(2);
	expect(changes([], [releasing("...")])).toBe(0);
	expect(changes([releasing("...")], [releasing("more")])).toBe(0);
});

test("a line may stand as early as right behind the last result before it", () => {
	const gone = (line: string) => taking(strip(["3.0"], "3.0", line));
	expect(changes([gone("gone")], [gone("left")])).toBe(5);
	const asked = fold(person(), model(text()), model(call("a", "read")), model(text()));
	const views = ["gone", "left"].map((line) => viewOfLog([taking(strip(["2.0"], "2.0", line))]));
	const [old, now] = views;
	expect(old && now && firstChange(asked, old, now)).toBe(1);
});
