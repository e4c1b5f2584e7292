import fc from "fast-check";
import { expect, test } from "vitest";
import { showPanel as show, worked } from "../test-support/panels.ts";
import { bareReport, closedExpl } from "../test-support/state-report.ts";
import { listedEpisodes } from "./panel-episodes.ts";
import { firstPanel } from "./panel-keys.ts";

test("tells all about the episode that is open", () => {
	const screen = show(worked, { cursor: 2, isOpen: true });
	expect(screen).toMatch(/▸ ████ expl find-limits/);
	expect(screen).toMatch(/state +closed, declared; whole/);
	expect(screen).toMatch(/needed by +raise-limit/);
	expect(screen).toMatch(/learned +MOST is 7/);
});

test("keeps the episode under the cursor in sight, however many there are", () => {
	const episodes = Array.from({ length: 90 }, (_, index) => ({ ...closedExpl, name: `episode-${index}-` }));
	fc.assert(
		fc.property(fc.nat(89), fc.boolean(), fc.integer({ min: 10, max: 60 }), (cursor, isOpen, height) => {
			const screen = show({ ...bareReport, episodes }, { cursor, isOpen }, 80, height);
			expect(screen).toContain(`▸ ████ expl episode-${89 - cursor}-`);
		}),
	);
});

test("lists by the filter kind, state and name, newest first", () => {
	const names = (filter: string) => listedEpisodes(worked, { ...firstPanel, filter }).map(({ name }) => name);
	expect(names("")).toEqual(["look-around", "raise-limit", "find-limits"]);
	expect(names("LIMIT")).toEqual(["raise-limit", "find-limits"]);
	expect(names("act ")).toEqual(["raise-limit"]);
	expect(names("evicted")).toEqual(["look-around"]);
	expect(show(worked, { filter: "no such" })).toMatch(/Episodes 0 \/no such.*\n.*Nothing matches no such/);
});

test("names the size of the text between the episodes, and lists them when the filter asks for them", () => {
	const answer = { ...closedExpl, origin: "inferred" as const, isAnswer: true, tokens: 45 };
	const answers = ["unmarked-11", "unmarked-12"].map((name) => ({ ...answer, name }));
	const report = { ...worked, episodes: [...worked.episodes, ...answers] };
	expect(show(report)).toContain("Episodes 3 · other text 90");
	expect(show(report)).not.toContain("unmarked-1");
	expect(show(report)).toContain(" 3 episodes · 2 passes ");
	expect(show(report, { filter: "unmarked" })).toMatch(
		/Episodes 2 \/unmarked[\s\S]*unmarked-12[\s\S]*unmarked-11/,
	);
});

test("an episode's bar shows the share of it that is left, and a recalled one is a note", () => {
	const rowOf = (more: Partial<typeof closedExpl>) =>
		show({ ...bareReport, episodes: [{ ...closedExpl, ...more }] });
	const bars = [0, 100, 1_000, 2_000, 3_100, 3_990, 4_000].map(
		(evictedTokens) => /[█░]{4} expl/.exec(rowOf({ level: 3, evictedTokens }))?.[0],
	);
	expect(bars).toEqual(["████", "███░", "███░", "██░░", "█░░░", "█░░░", "░░░░"].map((bar) => `${bar} expl`));
	expect(rowOf({ isRecall: true })).toMatch(/████ note find-limits \(recalled\)/);
});

test("the rest of an episode that a compaction cut says which one it is from, and is found by that name", () => {
	const rest = { ...closedExpl, name: "unmarked-11", restOf: "look-zero" };
	expect(show({ ...bareReport, episodes: [rest] }, { filter: "look-z" })).toMatch(
		/ expl unmarked-11 \(rest of look-zero\)/,
	);
});
