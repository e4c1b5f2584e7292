import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StateReport } from "../health/state-report.ts";
import { nextPass, showPanel as show, worked } from "../test-support/panels.ts";
import { bareReport, closedExpl, madePass } from "../test-support/state-report.ts";
import { panelText } from "./panel.ts";
import { widthOf } from "./terminal-text.ts";

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

	test("shows graph, budget and passes, and alerts and figures behind a key", () => {
		const screen = show(worked, {}, 80, 30);
		expect(screen).toMatch(/10k of 20k tokens 50% +500 more a request/);
		expect(screen).toMatch(/expl\D+5k +25%/);
		expect(screen).toMatch(/▸ ░░░░ expl look-around +evicted +0 +4k/);
		expect(screen).toMatch(/████ act +raise-limit ← find-limits +open +4k/);
		expect(screen).toMatch(/#1 +21k → 14k +█+▓+▒+░+ +9k again +│/);
		// On a cold cache nothing is written because of the pass, and what had been sent before is not new.
		const passes = [{ ...madePass, cached: 0, rewritten: 0 }];
		const cold = show({ ...worked, passes }, {}, 80, 40);
		expect(cold).toMatch(/▒ new or cold .*\n│ +#1 +21k → 14k +▒+░+ +0 again +│/);
		expect(screen).toMatch(/#3 +21k → 14k +·+░+ +by hand/);
		expect(screen).not.toContain("tool results");
		expect(screen).toMatch(/q close · p pin · r recall · h figures · \/ find/);
		expect(show(worked, { showsFigures: true }, 80, 34)).toMatch(
			/Alerts and figures[\s\S]*● a\.ts was read again; \/cwl settings budget 60k\.[\s\S]*tool results +40 %/,
		);
		for (const [width, height] of [
			[50, 16],
			[60, 18],
			[60, 24],
		] as const)
			expect(show(worked, { showsFigures: true }, width, height)).toMatch(
				/Alerts and figures[\s\S]*● a\.ts was read/,
			);
	});

	test("says how many of the passes it lists, and shows each part of their prices whole or not at all", () => {
		const passes = Array.from({ length: 9 }, (_, at) => ({ ...madePass, number: at + 1 }));
		const report = { ...worked, passes };
		const tall = show(report, {}, 80, 40);
		expect(tall).toMatch(/─ Passes ─.* ░ left ─┤\n│ +1 earlier +│\n│ +#2 /);
		expect(show(report, {}, 80, 24)).toMatch(/─ Passes ─.*\n│ +6 earlier +│\n│ +#7 /);
		expect(panelText(report)).toMatch(/\n9 passes\n +1 earlier\n +#2 /);
		expect(panelText(worked)).toMatch(/\n2 passes\n +#1 /);
		const answer = { ...closedExpl, origin: "inferred" as const, isAnswer: true, tokens: 45 };
		expect(show({ ...report, episodes: Array(7).fill(answer) }, {}, 44)).toMatch(
			/─ Episodes 0 · other text 315 ─+ now ─/,
		);
		for (let width = 40; width <= 80; width += 1) {
			const rows = show(report, {}, width, 40).split("\n");
			for (const row of rows.filter((line) => line.includes("#9 ")))
				expect(row).toMatch(/ 14k .* (9k again)? *│$/);
		}
	});

	test("marks every size as an estimate until the provider has reported one", () => {
		const pressure = { ...worked.pressure, source: "estimated" as const };
		const passes = worked.passes.map((pass) => ({ ...pass, isKnown: false }));
		const screen = show({ ...worked, pressure, passes, nextPasses: [nextPass] }, {}, 120, 30);
		expect(screen).toMatch(/~10k of 20k tokens/);
		expect(screen).toMatch(/expl\D+~5k[\s\S]*~14k tokens of 6 outputs leave[\s\S]*#1 +~21k → ~14k/);
	});

	test("what no part explains has a place of its own, and the system prompt keeps its size", () => {
		const legend = (unassigned: number) =>
			show({ ...bareReport, ledger: { ...bareReport.ledger, unassigned } }, {}, 120);
		expect(legend(374)).toMatch(/■ system 300 .*■ framing 374 2%/s);
		expect(legend(-374)).toMatch(/■ system 300 /);
		expect(legend(-374)).not.toContain("framing");
		expect(legend(20)).not.toContain("framing");
	});

	test("says that it has no room in a terminal that is too small", () => {
		expect(show(worked, {}, 39, 24)).toMatch(/^cwl: too small/);
		expect(show(worked, {}, 80, 9)).toMatch(/^cwl: too small/);
	});
});
