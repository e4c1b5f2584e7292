import { expect, test } from "vitest";
import { nextPass, showPanel as show, worked } from "../test-support/panels.ts";
import { bareReport } from "../test-support/state-report.ts";
import { answerLater, describeEffect, describeNextPass } from "./answers.ts";

test("answers first whether anything is wrong, what was saved and what leaves next", () => {
	expect(show(bareReport)).toMatch(
		/● No alerts\.[\s\S]*● Savings: not worked out yet[\s\S]*● Next: nothing is due to leave of the 10k of 20k tokens\./,
	);
	expect(show({ ...bareReport, requests: 0 })).toContain("● Savings: none before the first answer.");
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
		/● warning: a\.ts was read again; \/cwl settings budget 60k\.[\s\S]*● Cost \$1\.23: \$0\.77 less than with pi's compaction at 30k \(100k tokens less\) and \$0\.23 more than without eviction \(700k tokens less\)\. On this branch: cwl[\s│]+was off for 5 requests, 1 pass taken back, 2 requests that read nothing from the cache\.[\s\S]*● Next, at your next message: 14k tokens of 6 outputs leave\./,
	);
	const narrow = show({ ...bareReport, health: saved }, {}, 60, 40);
	for (const words of [/without\W+eviction/, /nothing\W+from the cache\./]) expect(narrow).toMatch(words);
	const reasonsAt = (compaction: number, none: number) => {
		const others = { compaction: { cost: compaction, tokens: 0 }, none: { cost: none, tokens: 0 } };
		return show({ ...bareReport, health: { ...saved, costs: { ...costs, ...others } } }, {}, 160).includes(
			"On this branch: cwl",
		);
	};
	expect([reasonsAt(1, 2), reasonsAt(2, 1), reasonsAt(2, 2)]).toEqual([true, true, false]);
	const late = show({ ...bareReport, requests: 25, health: saved }, {}, 160);
	expect(late).toContain("● Cost $1.23 as of model call 20 of 25: $0.77 less than with pi's compaction");
	// These are not of that call.
	expect(late).not.toContain("On this branch:");
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
	const effect = "14k tokens of 6 outputs leave.";
	const least = "likely 14k tokens leave.";
	const inTokens = "within 10k tokens: likely 11k tokens leave.";
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
	const others = {
		...full,
		at: "next expl" as const,
		strips: [{ episode: "b", level: 3 as const, tokens: 11_000 }],
	};
	expect(answerLater([full, others], true)).toEqual([
		"Or, when the model marks its next expl: likely 11k tokens leave.",
	]);
	const restored = { ...full, at: "no room" as const, dueIn: 19_000 };
	const noRoom = "within 19k tokens if nothing newer can leave: likely 11k tokens leave.";
	expect(answerLater([seam, full, restored], true)).toEqual([`Or, ${inTokens}`, `Later, ${noRoom}`]);
	expect(answerLater([seam, restored], true)).toEqual([`Or, ${noRoom}`]);
	// It comes in place of the other one where that leaves too little for a pass.
	expect(answerLater([full, { ...restored, freed: 12_000, isInstead: true }], true)).toEqual([
		"Or, if nothing newer can leave by then: likely 12k tokens leave.",
	]);
	expect(answerLater([full, { ...full, at: "no room", isInstead: true }], true)).toEqual([]);
	// A pass that a large message changes is a likely one; what follows it comes after it all the same.
	const open = { ...nextPass, effect: null };
	expect(describeNextPass(open, true)).toBe("at your next message: likely 14k tokens leave");
	expect(answerLater([open, full], true)).toEqual([`Later, ${inTokens}`]);
	expect(answerLater([], true)).toEqual([]);
});

test.each([
	[{ outputs: 1 }, "14k tokens of 1 output leave"],
	[{ outputs: 0, episodes: 1 }, "14k tokens of 1 episode leave"],
	[{ outputs: 0, episodes: 2 }, "14k tokens of 2 episodes leave"],
])("a pass without outputs counts episodes: %o", (change, said) => {
	const effect = nextPass.effect && { ...nextPass.effect, ...change };
	expect(describeEffect({ ...nextPass, effect }, true)).toBe(said);
});
