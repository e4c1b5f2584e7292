import { describe, expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import type { IndexLine } from "../log/pass.ts";
import { markerTokens, viewAfter, viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { expl, use } from "../test-support/small-sessions.ts";
import { testTools } from "../test-support/tools.ts";
import { type IndexPlan, planIndexLines } from "./episode-index.ts";

test("a line that stands for a group replaces the group's lines, also when the host has compacted some of it away", () => {
	const messages = draft.build([
		draft.person(),
		...expl("b", ...use("read", "r1")),
		...expl("c", ...use("read", "r2")),
	]);
	const graph = foldTranscript(messages, testTools);
	const line = (text: string) => ({ anchor: graph.episodes[0]?.items[0]?.id ?? "", text, tokens: 400 });
	const earlier = [
		{ episodes: ["gone", "b"], marker: line("gone and b") },
		{ episodes: ["gone too", "c"], marker: line("gone too and c") },
	];
	const view = viewOfLog([passWith({ indexLines: earlier })]);
	const input = planInput(graph, { budget: 100 }, view);
	const { lines, saved } = planIndexLines(input, []);
	const after = viewAfter(view, passWith({ indexLines: lines }));
	expect(lines).toHaveLength(1);
	expect(after.indexLines).toEqual(lines);
	expect(markerTokens(view) - markerTokens(after)).toBe(saved);
});

describe("lines", () => {
	const names = Array.from({ length: 40 }, (_, at) => `e${at}`);
	const session = draft.build([draft.person(), ...names.flatMap((name) => expl(name))]);
	const graph = foldTranscript(session, testTools);
	const anchor = graph.episodes[0]?.items[0]?.id ?? "";

	/** Lines of so many tokens for this many episodes. */
	const linesFor = (count: number, tokens: number) =>
		names.slice(0, count).map((episode) => ({
			episode,
			level: 4 as const,
			items: [],
			tokens: 0,
			marker: { anchor, text: episode, tokens },
		}));
	/** The line of a group of so many episodes. */
	const wide = (from: number, size: number, tokens = 500) => ({
		episodes: names.slice(from, from + size),
		marker: { anchor, text: "wide", tokens },
	});

	/** IndexPlan of so many lines of 10 tokens, and of lines of groups, where a new line costs `tokens`. */
	function folding(lines: number, budget: number, groups: readonly IndexLine[] = [], tokens = 10) {
		const view = viewOfLog([passWith({ strips: linesFor(lines, 10), indexLines: groups })]);
		const input = planInput(graph, { budget }, view);
		return planIndexLines({ ...input, countMarker: () => tokens }, []);
	}
	const sizes = ({ lines }: IndexPlan) => lines.map(({ episodes }) => episodes.length);

	test("stay while they take no more than .08 of the budget", () => {
		expect(folding(20, 2_500)).toEqual({ lines: [], saved: 0 });
		expect(sizes(folding(20, 2_499)).length).toBeGreaterThan(0);
	});

	test("stop at the half exactly", () => {
		// 100 tokens are more than .08 x 750, and 30 the half of that.
		expect(sizes(folding(10, 750))).toEqual([8]);
		expect(sizes(folding(10, 749))).toEqual([8, 2]);
	});

	test("of the depth that takes most fold, a single one of its depth does not, nor where that saves nothing", () => {
		const beside = folding(8, 1_000, [wide(30, 8)]);
		expect(beside.lines[0]?.episodes).toEqual(names.slice(0, 8));
		expect(sizes(beside)).toEqual([8, 16]);
		expect(folding(8, 100, [], 80).lines).toEqual([]);
		expect(sizes(folding(8, 100, [], 79))).toEqual([8]);
	});

	/** Lines of 100 tokens for this many episodes, whose texts cost a token for each ten characters. */
	function counted(
		said: (at: number) => string,
		count: number,
		needed?: number,
		paths = (_: number): readonly string[] => ["src/a.ts"],
	) {
		const drafts = names
			.slice(0, count)
			.flatMap((name, at) => [
				...draft.answered(1, draft.startExpl(`${name} start`, name)),
				draft.model(draft.call(`${name} read`, "read", {}, 10, { paths: paths(at) })),
				draft.result(`${name} read`),
				...draft.answered(1, draft.end(`${name} end`, said(at))),
			]);
		const graph = draft.fold(draft.person(), ...drafts);
		const view = viewOfLog([passWith({ strips: linesFor(count, 100) })]);
		const input = planInput(graph, { budget: 10_000 }, view);
		return planIndexLines({ ...input, countMarker: (text) => Math.ceil(text.length / 10) }, [], needed);
	}
	const textsOf = ({ lines }: IndexPlan) => lines.map(({ marker }) => marker.text).join("\n");

	test("carry what was recorded in as much of their group's size as leaves room for the next lines", () => {
		const short = counted((at) => `Finding ${at} is in src/a.ts.`, 9);
		for (let at = 0; at < 8; at += 1) expect(textsOf(short)).toContain(`"Finding ${at} is in src/a.ts."`);
		const long = counted((at) => `Finding ${at} is in src/a.ts. ${"And more of it. ".repeat(60)}`, 16);
		const left = 1_600 - long.saved;
		expect(left).toBeLessThanOrEqual(0.75 * 800);
		expect(textsOf(long)).toContain("Finding 15 is in src/a.ts.");
		const full = counted(
			(at) => `Finding ${at} is in src/a.ts, ${"and there is more of it, ".repeat(60)}`,
			16,
		);
		expect(1_600 - full.saved).toBeLessThanOrEqual(0.75 * 800);
		expect(1_600 - full.saved).toBeGreaterThan(0.4 * 800);
	});

	test("carry extracts in half of their group's size where more would leave too little room", () => {
		const said = (at: number) => `Finding ${at} is in src/a.ts, ${"and there is more of it, ".repeat(60)}`;
		const [line] = counted(said, 9).lines;
		expect(line?.episodes).toHaveLength(8);
		expect(line?.marker.tokens).toBeLessThanOrEqual(400);
		expect(line?.marker.tokens).toBeGreaterThan(300);
	});

	test("keep their extracts where that saves just what is needed, and not a token more", () => {
		const said = (at: number) => `Finding ${at} is in src/a.ts.`;
		const plain = counted(said, 9);
		expect(counted(said, 9, plain.saved)).toEqual(plain);
		expect(counted(said, 9, plain.saved + 1).saved).toBeGreaterThan(plain.saved);
	});

	test("about the folder of the oldest fold first, among twice as many as fit", () => {
		const plan = counted(
			() => "x",
			20,
			0,
			(at) => [at % 2 === 0 ? "src/a.ts" : "docs/a.md"],
		);
		expect(plan.lines[0]?.episodes).toEqual(names.slice(0, 16).filter((_, at) => at % 2 === 0));
	});
});
