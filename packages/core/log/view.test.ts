import { describe, expect, test } from "vitest";
import { passTaking, passWith } from "../test-support/passes.ts";
import { sumTokens } from "../transcript/transcript.ts";
import type { Form, Pass, Reduction } from "./pass.ts";
import { createNetSizes, isLogged, linesOf, markerTokens, viewAfter, viewOfLog } from "./view.ts";

const marker = { anchor: "1.0", text: "gone", tokens: 3 };
const low = passTaking("look", ["1.0"], 10, { level: 2 });
const high = passTaking("look", ["1.1", "1.2"], 20, { level: 4, marker });

test("an episode that a folded line stands for gets no line of its own again", () => {
	const group = { episodes: ["look"], marker: { anchor: "0.0", text: "[1 episode]", tokens: 5 } };
	const view = viewOfLog([
		{ ...high, indexLines: [group] },
		passTaking("look", ["1.0"], 10, { level: 2, marker }),
	]);
	expect(linesOf(view)).toEqual([group.marker]);
	expect([view.episodes.get("look")?.marker, markerTokens(view)]).toEqual([undefined, 5]);
});

const line = (...episodes: readonly string[]) => ({ episodes, marker: { ...marker, text: episodes.join() } });

test("a line of several episodes takes the place of those whose episodes it holds, and no wider line gives way to it", () => {
	const standing = (...indexLines: readonly ReturnType<typeof line>[]) =>
		viewOfLog([passWith({ indexLines })]).indexLines.map(({ marker }) => marker.text);
	expect(standing(line("a", "b"), line("c", "d"), line("e", "f"))).toEqual(["a,b", "c,d", "e,f"]);
	expect(standing(line("a", "b"), line("c", "d"), line("x", "y"), line("a", "b", "c", "d"))).toEqual([
		"a,b,c,d",
		"x,y",
	]);
	expect(standing(line("a", "b", "c"), line("b", "c"))).toEqual(["a,b,c"]);
	expect(standing(line("a", "b", "c"), line("a", "x"))).toEqual(["a,b,c", "a,x"]);
	expect(standing(line("x", "y"), line("a", "b"), line("a", "b", "z"))).toEqual(["x,y", "a,b,z"]);
});

describe("a reduced output", () => {
	const reduced = (item: string, form: Form, tokens: number): Reduction => ({
		episode: "look",
		item,
		form,
		tokens,
	});
	const reducing = (...reductions: readonly Reduction[]) => passWith({ reductions });

	test("counts once, as the first pass counted it that gave it its least detail", () => {
		const view = viewOfLog([
			reducing(reduced("1.0", 1, 100), reduced("2.0", 2, 50)),
			reducing(reduced("1.0", 3, 180)),
			reducing(reduced("1.0", 2, 150), reduced("2.0", 2, 60)),
		]);
		expect(view.reduced.get("1.0")?.form).toBe(3);
		expect(sumTokens(view.reduced.values())).toBe(180 + 50);
	});

	test("is reduced no more once it was removed, and counts nothing then, also when a later pass names it", () => {
		const taken = viewOfLog([reducing(reduced("1.0", 1, 100), reduced("2.0", 2, 50)), low]);
		expect([[...taken.reduced.keys()], sumTokens(taken.reduced.values())]).toEqual([["2.0"], 50]);
		const again = viewAfter(viewAfter(taken, low), reducing(reduced("1.0", 4, 190)));
		expect([[...again.reduced.keys()], sumTokens(again.reduced.values())]).toEqual([["2.0"], 50]);
	});

	test("is in the log as one that was removed is, and nothing else is", () => {
		const view = viewOfLog([reducing(reduced("2.0", 1, 100)), low]);
		expect(["1.0", "2.0", "3.0"].map((id) => isLogged(view, id))).toEqual([true, true, false]);
	});

	test("departs with the pass that reduced it first", () => {
		const at = (newest: string, pass: Pass): Pass => ({ ...pass, newest });
		const view = viewOfLog([at("5.0", reducing(reduced("1.0", 1, 100))), at("9.0", low)]);
		expect(view.departures.get("1.0")).toEqual({ pass: 1, newest: "5.0" });
		expect(view.lastPassAt).toBe("9.0");
	});
});

test("what the parts of a pass free: without the line in their place, what was reduced of them before, and with the lines that are joined", () => {
	const reductions: readonly Reduction[] = [{ episode: "look", item: "1.1", form: 1, tokens: 6 }];
	const part = passTaking("look", ["1.0"], 10, { level: 2, marker });
	const whole = passTaking("look", ["1.1", "1.2"], 20, { level: 4, marker: { ...marker, tokens: 5 } });
	const group = { episodes: ["look"], marker: { ...marker, tokens: 1 } };
	const log: readonly Pass[] = [
		{ ...part, reductions },
		{ ...whole, indexLines: [group] },
	];
	const parts = log.map(createNetSizes()).map(({ strips, reductions: reduced, lines }) => {
		return [strips.map(({ tokens }) => tokens), reduced.map(({ tokens }) => tokens), [lines]];
	});
	expect(parts).toEqual([
		[[7], [6], [0]],
		[[12], [], [4]],
	]);
});
