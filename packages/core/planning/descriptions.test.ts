import { expect, test } from "vitest";
import type { Pass } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput, requestSize } from "../test-support/simulation.ts";
import { expl, use } from "../test-support/small-sessions.ts";
import { planDescriptions, planEpisode, withDescriptions } from "./manual-pass.ts";

const session = [
	draft.person(),
	...expl("look", ...use("read", "r1")),
	...expl("more", ...use("read", "r2")),
	draft.person(),
	draft.model(draft.text()),
];
const graph = draft.fold(...session);
const inputOf = (log: readonly Pass[], budget = 10_000) => planInput(graph, { budget }, viewOfLog(log));
const lineOf = (log: readonly Pass[]) => viewOfLog(log).episodes.get("look")?.marker?.text;

function evictLook(): readonly Pass[] {
	const pass = planEpisode(inputOf([]), draft.episodeOf(graph, "look"));
	return pass ? [pass] : [];
}

test("a graph has the descriptions that a person gave, and none where it was taken away", () => {
	const edited = withDescriptions(
		graph,
		new Map([
			["look", "mine"],
			["more", ""],
			["nobody", "x"],
		]),
	);
	expect(edited.episodes.map(({ description }) => description)).toEqual(["mine", undefined, undefined]);
	expect(withDescriptions(graph, new Map())).toBe(graph);
	expect(graph.episodes.map(({ description }) => description)).toEqual(["x", "x", undefined]);
});

test("lines that stand get the new words in place of the old ones, on one line, and the books stay right", () => {
	const log = evictLook();
	const head = lineOf(log)?.replace(/ "x"$/, "") ?? "";
	const input = inputOf(log);
	const pass = planDescriptions(
		input,
		new Map([
			["look", "found\n  it"],
			["more", "not evicted"],
		]),
	);
	expect(pass).toMatchObject({ version: 1, policy: "by hand", strips: [{ level: 4, items: [], tokens: 0 }] });
	expect(pass?.strips).toHaveLength(1);
	expect(pass).not.toHaveProperty("folds");
	const after = [...log, ...(pass ? [pass] : [])];
	expect(lineOf(after)).toBe(`${head} "found\\n  it"`);
	expect(viewOfLog(after).removed).toEqual(viewOfLog(log).removed);
	expect(pass?.after).toBe(requestSize(graph, after));
	const again = { ...inputOf(after), graph: withDescriptions(graph, new Map([["look", "found\n  it"]])) };
	expect(planDescriptions(again, new Map([["look", ""]]))?.strips[0]?.marker?.text).toBe(head);
	expect(planDescriptions(again, new Map([["look", "found\n  it"]]))).toBeUndefined();
});

test("without any line that stands, and for an episode without one, there is nothing to write", () => {
	const words = new Map([
		["look", "y"],
		["more", "z"],
	]);
	expect(planDescriptions(inputOf([]), words)).toBeUndefined();
	const log = evictLook();
	expect(planDescriptions(inputOf(log), new Map([["more", "z"]]))).toBeUndefined();
	expect(planDescriptions(inputOf(log), words)?.strips.map(({ episode }) => episode)).toEqual(["look"]);
});

test("the lines of paper are known too", () => {
	const pass = paper.plan(inputOf([], 150));
	const log = pass ? [pass] : [];
	expect(lineOf(log)).toBe('[expl "look", evicted] "x"');
	const edit = planDescriptions(inputOf(log), new Map([["look", "y"]]));
	expect(lineOf([...log, ...(edit ? [edit] : [])])).toBe('[expl "look", evicted] "y"');
});

test("lines of groups say the new words in the size that they had, once", () => {
	const strips = ["look", "more"].map((episode) => ({ episode, level: 4 as const, items: [], tokens: 0 }));
	const anchor = draft.episodeOf(graph, "look").items[0]?.id ?? "";
	const marker = { anchor, text: '[2 episodes] "look": "x"', tokens: 200 };
	const folds = [{ episodes: ["look", "more"], marker }];
	const log = [passWith({ strips, folds })];
	const words = new Map([["more", "mine"]]);
	const edit = planDescriptions(inputOf(log), words);
	const after = viewOfLog([...log, ...(edit ? [edit] : [])]);
	expect(after.indexLines).toHaveLength(1);
	expect(after.indexLines[0]?.marker.text).toMatch(/\] "look": "x", "more": "mine"$/);
	expect(after.indexLines[0]?.marker.tokens).toBeLessThanOrEqual(200);
	expect(planDescriptions({ ...inputOf(log), view: after }, words)).toBeUndefined();
});
