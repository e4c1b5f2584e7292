import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultSettings, describeSettings } from "../settings.ts";
import type { StateReport } from "../state-report.ts";
import { widthOf } from "./columns.ts";
import { panelLines } from "./panel.ts";
import { listedEpisodes } from "./panel-episodes.ts";
import { firstPanel, type PanelState } from "./panel-keys.ts";

type Episode = StateReport["episodes"][number];
type Pass = StateReport["passes"][number];

const plain: Episode = {
	name: "find-limits",
	kind: "expl",
	origin: "declared",
	state: "closed",
	dependencies: [],
	tokens: 4_000,
	description: "MOST is 7",
	pinned: false,
	level: 0,
	evictedTokens: 0,
};

const pass: Pass = {
	policy: "cwl",
	budget: 20_000,
	before: 21_000,
	after: 14_000,
	blockers: [],
	strips: [],
	decision: {
		reason: "over budget",
		freed: 7_000,
		rewritten: 9_000,
		growth: 500,
		paidBackAfter: 12,
		requestsToNext: 14,
	},
};

const empty: StateReport = {
	version: 1,
	settings: describeSettings(defaultSettings),
	origins: {},
	problems: [],
	goal: null,
	budget: 20_000,
	pressure: {
		...{ used: 10_000, budget: 20_000, level: 0.5, zone: "green", velocity: 500 },
		...{ isSpike: false, turnsToRed: 16, turnsToPass: 20, source: "reported" },
	},
	scale: 1,
	ledger: {
		...{
			system: 300,
			tools: 500,
			prologue: 100,
			user: 900,
			expl: 5_000,
			act: 3_000,
			unannotated: 0,
			markers: 200,
		},
		total: 10_000,
	},
	traffic: { cached: 0, added: 0, rewritten: 0, expired: 0 },
	episodes: [],
	passes: [],
	nextPass: { dueIn: 10_000, strips: [], freed: 0, rewritten: 0 },
	health: {
		utilisation: 0.5,
		evicted: { share: 0, tokensPerRequest: 0, itemsPerRequest: 0 },
		compressionRatio: null,
		burn: { recent: 500, before: 400, isSpike: false },
		toolResults: { tokens: 4_000, share: 0.4, largest: 900 },
		fidelity: { facts: 0, visible: 0, named: 0 },
		regret: { share: 0, passes: [], calls: [] },
	},
	alerts: [],
};

const worked: StateReport = {
	...empty,
	episodes: [
		plain,
		{
			...plain,
			name: "raise-limit",
			kind: "act",
			dependencies: ["find-limits"],
			state: "open",
			description: null,
		},
		{ ...plain, name: "look-around", level: 4, evictedTokens: 4_000 },
	],
	passes: [pass, { ...pass, policy: "by hand", decision: null }],
	alerts: [
		{ id: "loop", grade: "warning", text: "a.ts was read again", remedy: "/cwl budget raises the budget" },
	],
};

function show(
	report: StateReport,
	state: Partial<PanelState> = {},
	width = 80,
	height = 24,
	said = "",
): string {
	const lines = panelLines({ report, state: { ...firstPanel, ...state }, said }, width, height);
	return lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}

const hostile = fc.oneof(
	fc.string({ unit: "binary", maxLength: 60 }),
	fc.constantFrom(
		"\u001b[2J\u001b[31mred",
		"\u001b]0;title\u0007",
		"a\nb",
		"日本語の名前",
		"👩‍👩‍👧 family",
		"\u202eevil",
	),
);
const level = fc.constantFrom<Episode["level"]>(0, 1, 2, 3, 4);
const episode = fc.record({
	name: hostile,
	dependency: hostile,
	description: hostile,
	level,
	pinned: fc.boolean(),
});
const alert = fc.record({
	grade: fc.constantFrom("critical" as const, "warning" as const, "notice" as const),
	text: hostile,
});

describe("the panel", () => {
	test("has lines of exactly its width and no more than its height, and steers no terminal, whatever the names are", () => {
		fc.assert(
			fc.property(
				fc.record({
					width: fc.integer({ min: 40, max: 300 }),
					height: fc.integer({ min: 10, max: 80 }),
					episodes: fc.array(episode, { maxLength: 90 }),
					passes: fc.nat(20),
					alerts: fc.array(alert, { maxLength: 6 }),
					cursor: fc.nat(90),
					isOpen: fc.boolean(),
					isTyping: fc.boolean(),
					filter: fc.oneof(fc.constant(""), hostile),
					said: fc.oneof(fc.constant(""), hostile),
				}),
				({ width, height, episodes, passes, alerts, cursor, isOpen, isTyping, filter, said }) => {
					const report: StateReport = {
						...empty,
						episodes: episodes.map(({ dependency, ...own }) => ({
							...plain,
							...own,
							dependencies: [dependency],
						})),
						passes: Array.from({ length: passes }, () => pass),
						alerts: alerts.map((own, index) => ({ id: String(index), remedy: own.text, ...own })),
					};
					const text = show(report, { cursor, isOpen, isTyping, filter }, width, height, said);
					const lines = text.split("\n");
					expect(lines.length).toBe(height);
					for (const line of lines) expect(widthOf(line)).toBe(width);
					expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e]/u);
				},
			),
		);
	});

	test.each([
		[80, 24],
		[200, 60],
	])("shows graph, budget, passes, health and alerts in %i by %i", (width, height) => {
		const screen = show(worked, {}, width, height);
		expect(screen).toMatch(/10k of 20k tokens 50%/);
		expect(screen).toMatch(/expl\D+5k +25%/);
		expect(screen).toMatch(/▸ ░░░░ expl look-around +evicted +0 +4k/);
		expect(screen).toMatch(/████ act +raise-limit ← find-limits +open +4k/);
		expect(screen).toMatch(/#1 +21k → 14k +█+▓+░+ +-7k for 9k anew, pays after 12 turns/);
		expect(screen).toMatch(/#2 +21k → 14k +█+░+ +-7k by hand/);
		expect(screen).toMatch(/tool results +40 %/);
		expect(screen).toContain("● warning: a.ts was read again");
		expect(screen).toMatch(/enter open · p pin · u unpin · r recall · \/ filter · q close/);
	});

	test("tells all about the episode that is open", () => {
		const screen = show(worked, { cursor: 2, isOpen: true });
		expect(screen).toMatch(/▸ ████ expl find-limits/);
		expect(screen).toMatch(/state +closed, declared; whole/);
		expect(screen).toMatch(/needed by +raise-limit/);
		expect(screen).toMatch(/learned +MOST is 7/);
	});

	test("keeps the episode under the cursor in sight, however many there are", () => {
		const episodes = Array.from({ length: 90 }, (_, index) => ({ ...plain, name: `episode-${index}-` }));
		fc.assert(
			fc.property(fc.nat(89), fc.boolean(), fc.integer({ min: 10, max: 60 }), (cursor, isOpen, height) => {
				const screen = show({ ...empty, episodes }, { cursor, isOpen }, 80, height);
				expect(screen).toContain(`▸ ████ expl episode-${89 - cursor}-`);
			}),
		);
	});

	test("lists by the filter kind, state and name, newest first", () => {
		const names = (filter: string) =>
			listedEpisodes(worked, { ...firstPanel, filter }).map(({ name }) => name);
		expect(names("")).toEqual(["look-around", "raise-limit", "find-limits"]);
		expect(names("LIMIT")).toEqual(["raise-limit", "find-limits"]);
		expect(names("act ")).toEqual(["raise-limit"]);
		expect(names("evicted")).toEqual(["look-around"]);
		expect(show(worked, { filter: "no such" })).toMatch(
			/Episodes 0 of 3 \/no such.*\n.*Nothing matches no such/,
		);
	});

	test("says so when there is nothing yet", () => {
		const screen = show(empty);
		expect(screen).toContain("No episode yet");
		expect(screen).toContain("No pass yet");
		expect(screen).not.toContain("Alerts");
	});

	test("says in its last line what a key came to", () => {
		expect(show(worked, {}, 80, 24, "find-limits is pinned").split("\n").at(-2)).toMatch(
			/» find-limits is pinned/,
		);
	});

	test("says that it has no room in a terminal that is too small", () => {
		expect(show(worked, {}, 39, 24)).toMatch(/^cwl: too small/);
		expect(show(worked, {}, 80, 9)).toMatch(/^cwl: too small/);
	});
});
