import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatTokens } from "#basics";
import type { StateReport } from "../health/state-report.ts";
import { bareReport, closedExpl, madePass } from "../test-support/state-report.ts";
import { answerLater, describeEffect, keptText } from "./answers.ts";
import { panelLines, panelText } from "./panel.ts";
import { listedEpisodes } from "./panel-episodes.ts";
import { firstPanel, type PanelState } from "./panel-keys.ts";
import { widthOf } from "./terminal-text.ts";

const worked: StateReport = {
	...bareReport,
	episodes: [
		closedExpl,
		{
			...{ ...closedExpl, name: "raise-limit", kind: "act", dependencies: ["find-limits"] },
			state: "open",
			description: null,
		},
		{ ...closedExpl, name: "look-around", level: 4, evictedTokens: 4_000 },
	],
	passes: [
		madePass,
		{
			...madePass,
			number: 3,
			policy: "by hand",
			decision: null,
			rewritten: null,
			paidBackAfter: null,
			cached: null,
		},
		{
			...madePass,
			number: 4,
			policy: "prefix changed",
			decision: null,
			rewritten: 48_000,
			paidBackAfter: null,
			cached: 0,
		},
	],
	alerts: [{ id: "loop", grade: "warning", text: "a.ts was read again", remedy: "/cwl settings budget 60k" }],
};

const nextPass: StateReport["nextPasses"][number] = {
	at: "next message",
	dueIn: 0,
	idle: 0,
	freed: 14_000,
	effect: { rewritten: 2_000, forfeited: 0, outputs: 6, episodes: 2 },
	strips: [],
	reductions: [],
	kept: [],
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
	fc.constantFrom("\u001b[2J\u001b[31mred", "\u001b]0;title\u0007", "a\nb"),
	fc.constantFrom("日本語の名前", "👩‍👩‍👧 family", "\u202eevil"),
);
const level = fc.constantFrom<StateReport["episodes"][number]["level"]>(0, 1, 2, 3, 4);
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
						...bareReport,
						episodes: episodes.map(({ dependency, ...own }) => {
							return { ...closedExpl, ...own, dependencies: [dependency] };
						}),
						passes: Array.from({ length: passes }, () => madePass),
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

	test("answers first whether anything is wrong, what was saved and what leaves next", () => {
		expect(show(bareReport)).toMatch(
			/● No alerts\.[\s\S]*● Savings: not worked out yet[\s\S]*● Next: nothing can leave of the 10k of 20k tokens\./,
		);
		const arms = {
			cwl: { cost: 1.23, tokens: 2e5 },
			compaction: { cost: 2, tokens: 3e5 },
			none: { cost: 1, tokens: 9e5 },
		};
		const setbacks = { offRequests: 5, undone: 1, uncached: 2, passes: 3 };
		const costs = {
			unit: "dollars at the prices of a/b",
			requests: 20,
			budget: 30_000,
			elsewhere: 0,
			setbacks,
			...arms,
		};
		const saved = { ...bareReport.health, costs };
		expect(show({ ...worked, health: saved, nextPasses: [nextPass] }, {}, 160)).toMatch(
			/● warning: a\.ts was read again; \/cwl settings budget 60k\.[\s\S]*● Cost \$1\.23: \$0\.77 less than with pi's compaction at 30k \(100k tokens less\) and \$0\.23 more than without eviction \(700k tokens less\)\. On this branch: cwl[\s│]+was off for 5 requests, 1 pass taken back, 2 requests written whole, with nothing in the cache\.[\s\S]*● Next, at your next message: 14k of 6 outputs leave\./,
		);
		expect(show({ ...bareReport, requests: 25, health: saved }, {}, 160)).toMatch(
			/, as of request 20 of[\s│]+25\./,
		);
		const branched = { ...saved, costs: { ...costs, elsewhere: 0.6 } };
		expect(show({ ...bareReport, health: branched }, {}, 160)).toContain(
			"Cost $1.23 ($0.63 of it on this branch): $0.77 less than with pi's compaction",
		);
		const none = { ...saved, costs: { ...costs, setbacks: { ...setbacks, passes: 0 } } };
		const none2 = { ...branched, costs: { ...none.costs, elsewhere: 0.6 } };
		expect(show({ ...bareReport, health: none2 }, {}, 160)).toContain(
			"Cost $1.23 ($0.63 of it on this branch): no pass yet, so nothing was saved on this branch.",
		);
		expect(show({ ...bareReport, health: none }, {}, 160)).toContain(
			"Cost $1.23: no pass yet, so nothing was saved.",
		);
	});

	test("shows graph, budget and passes, and alerts and figures behind a key", () => {
		const screen = show(worked, {}, 80, 30);
		expect(screen).toMatch(/10k of 20k tokens 50% +500 more a request/);
		expect(screen).toMatch(/expl\D+5k +25%/);
		expect(screen).toMatch(/▸ ░░░░ expl look-around +evicted +0 +4k/);
		expect(screen).toMatch(/████ act +raise-limit ← find-limits +open +4k/);
		expect(screen).toMatch(/#1 +21k → 14k +█+▓+▒+░+ +9k again, pays after 12 requests/);
		// On a cold cache nothing is written because of the pass, and what had been sent before is not new.
		const passes = [{ ...madePass, cached: 0, rewritten: 0, paidBackAfter: 0 }];
		const cold = show({ ...worked, passes }, {}, 80, 40);
		expect(cold).toMatch(/▒ new or cold .*\n│ +#1 +21k → 14k +▒+░+ +0 again, pays at once/);
		expect(screen).toMatch(/#3 +21k → 14k +·+░+ +by hand/);
		// The provider had nothing of that request in its cache.
		expect(screen).toMatch(/#4 +21k → 14k +▓+░+ +thinking: older text changed, 48k again/);
		expect(screen).not.toContain("tool results");
		expect(screen).toMatch(/q close · p pin · r recall · h figures · \/ find/);
		expect(show(worked, { showsFigures: true }, 80, 34)).toMatch(
			/Alerts and figures[\s\S]*● a\.ts was read again; \/cwl settings budget 60k\.[\s\S]*tool results +40 %/,
		);
	});

	test("says how many of the passes it lists, and shows each part of their prices whole or not at all", () => {
		const passes = Array.from({ length: 9 }, (_, at) => ({ ...madePass, number: at + 1 }));
		const report = { ...worked, passes };
		const tall = show(report, {}, 80, 40);
		expect(tall).toMatch(/─ Passes ─.* ░ left ─┤\n│ +1 earlier +│\n│ +#2 /);
		expect(show(report, {}, 80, 24)).toMatch(/─ Passes ─.*\n│ +6 earlier +│\n│ +#7 /);
		expect(panelText(report)).toMatch(/\n9 passes\n +1 earlier\n +#2 /);
		expect(panelText(worked)).toMatch(/\n3 passes\n +#1 /);
		const answer = { ...closedExpl, origin: "inferred" as const, isAnswer: true, tokens: 45 };
		expect(show({ ...report, episodes: Array(7).fill(answer) }, {}, 44)).toMatch(
			/─ Episodes 0 · other text 315 ─+ now ─/,
		);
		for (let width = 40; width <= 80; width += 1) {
			const rows = show(report, {}, width, 40).split("\n");
			for (const row of rows.filter((line) => line.includes("#9 ")))
				expect(row).toMatch(/ 14k .* (9k again(, pays after 12 requests)?)? *│$/);
		}
	});

	test("marks every size as an estimate until the provider has reported one", () => {
		const pressure = { ...worked.pressure, source: "estimated" as const };
		const passes = worked.passes.map((pass) => ({ ...pass, isKnown: false }));
		const screen = show({ ...worked, pressure, passes, nextPasses: [nextPass] }, {}, 120, 30);
		expect(screen).toMatch(/~10k of 20k tokens/);
		expect(screen).toMatch(/expl\D+~5k[\s\S]*~14k of 6 outputs leave[\s\S]*#1 +~21k → ~14k/);
	});

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

	test("names the size of the text between the episodes, and lists them when the filter asks for them", () => {
		const answer = { ...closedExpl, origin: "inferred" as const, isAnswer: true, tokens: 45 };
		const answers = ["unmarked-11", "unmarked-12"].map((name) => ({ ...answer, name }));
		const report = { ...worked, episodes: [...worked.episodes, ...answers] };
		expect(show(report)).toContain("Episodes 3 · other text 90");
		expect(show(report)).not.toContain("unmarked-1");
		expect(show(report)).toContain(" 3 episodes · 3 passes ");
		expect(show(report, { filter: "unmarked" })).toMatch(
			/Episodes 2 of 5 \/unmarked[\s\S]*unmarked-12[\s\S]*unmarked-11/,
		);
	});

	test("an episode's bar shows the share of it that is left, and a recalled one is a note", () => {
		const rowOf = (more: Partial<typeof closedExpl>) =>
			show({ ...bareReport, episodes: [{ ...closedExpl, ...more }] });
		const bars = [0, 100, 1_000, 2_000, 3_100, 3_990, 4_000].map(
			(evictedTokens) => /[█░]{4} expl/.exec(rowOf({ level: 3, evictedTokens }))?.[0],
		);
		expect(bars).toEqual(
			["████", "███░", "███░", "██░░", "█░░░", "█░░░", "░░░░"].map((bar) => `${bar} expl`),
		);
		expect(rowOf({ isRecall: true })).toMatch(/████ note find-limits \(recalled\)/);
	});

	test("what no part explains has a place of its own, and the system prompt keeps its size", () => {
		const legend = (unassigned: number) =>
			show({ ...bareReport, ledger: { ...bareReport.ledger, unassigned } }, {}, 120);
		expect(legend(374)).toMatch(/■ system 300 .*■ unassigned 374 2%/s);
		expect(legend(-374)).toMatch(/■ system 300 /);
		expect(legend(-374)).not.toContain("unassigned");
		expect(legend(20)).not.toContain("unassigned");
	});

	test("while cwl is off it says what is sent, and that no pass is made", () => {
		const off = {
			...bareReport,
			settings: { ...bareReport.settings, enabled: "false" },
			nextPasses: [nextPass],
		};
		expect(show(off, {}, 120)).toContain(
			"Next: the request sends all 10k tokens; no pass is made until /cwl on.",
		);
	});

	test("what may come in place of a pass and what comes after it are told apart, each with figures of its own", () => {
		const seam = { ...nextPass, at: "next expl" as const, effect: null };
		const full = { ...seam, at: "full" as const, dueIn: 10_000, freed: 11_000 };
		const cold = { ...nextPass, at: "cold cache" as const, idle: 10 };
		const effect = "14k of 6 outputs leave.";
		const least = "likely about 14k leave.";
		const inTokens = "within 10k tokens: likely about 11k leave.";
		const ifCold = `Or, after 10 minutes without a request: ${effect}`;
		const sameIfCold = "Or, after 10 minutes without a request: the same.";
		const later = `Later, when the model marks its next expl: ${least}`;
		expect(answerLater([nextPass, cold, seam, full], true)).toEqual([sameIfCold, later, `Or, ${inTokens}`]);
		expect(answerLater([seam, full, cold], true)).toEqual([`Or, ${inTokens}`, ifCold]);
		expect(answerLater([nextPass, full], true)).toEqual([`Later, ${inTokens}`]);
		expect(answerLater([full, nextPass], true)).toEqual([`Or, at your next message: ${effect}`]);
		expect(answerLater([full, { ...seam, freed: 11_000 }], true)).toEqual([
			"Or, when the model marks its next expl: the same.",
		]);
		expect(answerLater([], true)).toEqual([]);
	});

	test.each([
		[{ outputs: 1 }, "14k of 1 output leaves"],
		[{ outputs: 0, episodes: 1 }, "14k of 1 episode leaves"],
		[{ outputs: 0, episodes: 2 }, "14k of 2 episodes leave"],
	])("one leaves, and several leave: %o", (change, said) => {
		const effect = nextPass.effect && { ...nextPass.effect, ...change };
		expect(describeEffect({ ...nextPass, effect }, true)).toBe(said);
	});

	test("says what keeps an output, and which pass may still take it", () => {
		const worth = {
			output: "src/a.ts",
			did: "edited",
			turns: 2,
			tokens: 900,
			keptBy: "held",
			chance: 0.4,
		} as const;
		const said = "src/a.ts, edited two turns ago, in the work in hand";
		const leaves = { at: "full", dueIn: 2_400, idle: 0 } as const;
		expect(keptText({ ...worth, leaves: null }, formatTokens)).toBe(said);
		expect(keptText({ ...worth, leaves }, formatTokens)).toBe(`${said} (may leave within 2.4k tokens)`);
	});

	test("says that it has no room in a terminal that is too small", () => {
		expect(show(worked, {}, 39, 24)).toMatch(/^cwl: too small/);
		expect(show(worked, {}, 80, 9)).toMatch(/^cwl: too small/);
	});
});
