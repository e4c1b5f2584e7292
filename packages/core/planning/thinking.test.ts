import { expect, test } from "vitest";
import type { Pass, Strip } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import {
	answered,
	call,
	exchange,
	fold,
	model,
	person,
	reasoning,
	text,
} from "../test-support/message-builders.ts";
import { passTaking, passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { firstChange, forfeitThinking, isPrefixChange, planChangeAt } from "./thinking.ts";

const fixed = { system: 30, tools: 20 };
const graph = fold(
	person(10),
	...answered(90, reasoning(7), call("a", "read")),
	person(10),
	...answered(90, reasoning(5), call("b", "read")),
	...answered(90, reasoning(3), call("c", "read"), text(4)),
);
const input = planInput(graph, { budget: 1_000, fixed });

/** A pass over the first call and its result. */
const sizes = { budget: 1_000, before: 400, after: 300 };
const taken: Pass = { ...passTaking(graph.episodes[0]?.id ?? "", ["1.1"], 100), ...sizes };
const itemsOf = (pass: Pass | undefined) => pass?.strips.flatMap(({ items }) => items);

test("a change forfeits the thinking from its message on, down to a single piece", () => {
	const at = (message: number) => itemsOf(planChangeAt(input, message));
	expect([at(0), at(4), at(5), at(6)]).toEqual([["1.0", "4.0", "6.0"], ["4.0", "6.0"], ["6.0"], ["6.0"]]);
	expect(at(7)).toBeUndefined();
	const change = planChangeAt(input, 6);
	expect(change?.before).toBe(50 + graph.tokens);
	expect(change).toMatchObject({ after: 50 + graph.tokens - 3, forfeited: 3, newest: "7.0", blockers: [] });
	expect(change && isPrefixChange(change)).toBe(true);
});

test("where loop thinking is kept, that of the last answer stays, also after a request that failed", () => {
	const said = [person(10), model(reasoning(7), text()), person(10), model(reasoning(5), text()), person(10)];
	for (const messages of [said, [...said, model()], [...said, model(), person(10)]]) {
		const asked = planInput(fold(...messages), { budget: 1_000, fixed, keepsLoopThinking: true });
		expect(itemsOf(planChangeAt(asked, 0))).toEqual(["1.0"]);
	}
});

test("a pass also takes the thinking behind its first change, in the strips of its episodes, and only once", () => {
	const pass = forfeitThinking(input, taken);
	expect(pass).toMatchObject({ after: 300 - 15, forfeited: 15 });
	expect(pass.strips.map(({ level, items, tokens }) => [level, items, tokens])).toEqual([
		[3, ["1.1", "1.0"], 107],
		[1, ["4.0", "6.0"], 8],
	]);
	expect(forfeitThinking(input, pass)).toBe(pass);
	const blocked: Pass = { ...taken, strips: [] };
	expect(forfeitThinking(input, blocked)).toBe(blocked);
});

test("blockers are named anew, and not where the thinking that leaves brings the context to its budget", () => {
	const over = (after: number): Pass => ({ ...taken, after, blockers: [{ code: "in-use", tokens: after }] });
	const sum = ({ blockers }: Pass) => blockers.reduce((tokens, blocker) => tokens + blocker.tokens, 0);
	expect(forfeitThinking(input, over(1_015)).blockers).toEqual([]);
	expect(sum(forfeitThinking(input, over(1_016)))).toBe(1_001);
	expect(forfeitThinking(input, taken).blockers).toEqual([]);
	const open = ({ blockers }: Pass) => blockers.find(({ code }) => code === "open-episode")?.tokens ?? 0;
	const reductions = [{ episode: graph.episodes[1]?.id ?? "", item: "4.1", form: 1 as const, tokens: 50 }];
	const [whole, reduced] = [over(1_200), { ...over(1_200), reductions }].map((pass) =>
		forfeitThinking(input, pass),
	);
	expect(whole && reduced && open(whole) - open(reduced)).toBe(50);
});

const exchanges = fold(
	person(),
	...exchange(text(), call("a", "read")),
	...exchange(call("b", "read")),
	model(text()),
);
const stripOf = (items: readonly string[], anchor?: string, line = "gone"): Strip => ({
	episode: items.join(),
	level: 4,
	items,
	tokens: 1,
	...(anchor !== undefined && { marker: { anchor, text: line, tokens: 1 } }),
});
const taking = (...strips: readonly Strip[]) => passWith({ strips });
const reducing = (form: 1 | 2) => passWith({ reductions: [{ episode: "e", item: "1.1", form, tokens: 5 }] });
const releasing = (mark: string) =>
	passWith({ releases: [{ item: "0.0", head: 1, tail: 1, mark, tokens: 2 }] });

/** The first message that is sent differently after these passes than after those, both ways. */
function changes(before: readonly Pass[], after: readonly Pass[]): number {
	const old = viewOfLog(before);
	const now = viewOfLog(after);
	const first = firstChange(exchanges, old, now);
	expect(firstChange(exchanges, now, old)).toBe(first);
	return first;
}

test("a message that one of them leaves out, sends in part, reductions or shortens is the first change", () => {
	expect(changes([], [taking(stripOf(["3.0"]))])).toBe(3);
	expect(changes([], [taking(stripOf(["1.1"]))])).toBe(1);
	expect(changes([taking(stripOf(["1.0"]))], [taking(stripOf(["1.1"]))])).toBe(1);
	expect(changes([], [taking(stripOf(["5.0"]))])).toBe(5);
	expect(changes([], [reducing(1)])).toBe(2);
	expect(changes([reducing(1)], [reducing(2)])).toBe(2);
	expect(changes([], [releasing("...")])).toBe(0);
	expect(changes([releasing("...")], [releasing("more")])).toBe(0);
});

test("a line may stand as early as right behind the last result before it", () => {
	const gone = (line: string) => taking(stripOf(["3.0"], "3.0", line));
	expect(changes([gone("gone")], [gone("left")])).toBe(5);
	const asked = fold(person(), model(text()), model(call("a", "read")), model(text()));
	const views = ["gone", "left"].map((line) => viewOfLog([taking(stripOf(["2.0"], "2.0", line))]));
	const [old, now] = views;
	expect(old && now && firstChange(asked, old, now)).toBe(1);
});
