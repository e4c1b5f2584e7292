import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyGrounding } from "../metrics/grounding.ts";
import { noThinking } from "../metrics/thinking.ts";
import { describeTraffic, sumTallies } from "../metrics/traffic.ts";
import { parsePolicies } from "../policies/registry.ts";
import { whatIfArms } from "../run/setup.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { reportWith, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { formatReport } from "./layout.ts";
import type { PolicyReport } from "./report.ts";
import { advise, describeVerdict } from "./verdict.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-what-if-"));
	await writeSessionFile(join(folder, "a.jsonl"), writeLongSession(30));
	await writeSessionFile(join(folder, "b.jsonl"), writeLongSession(20));
	await writeSessionFile(join(folder, "verdict", "long.jsonl"), writeLongSession(30));
	await writeSessionFile(join(folder, "verdict", "short.jsonl"), writeLongSession(1));
});
afterAll(() => rm(folder, { recursive: true }));

test("every setting is replayed under every budget, on the same requests", async () => {
	const arms = whatIfArms([6_000, 4_000], parsePolicies("cwl-economy,cwl,cwl-quality"));
	expect(arms.map(({ name }) => name)).toEqual([
		"none",
		"compaction@160k",
		"cwl@auto",
		...["6k", "4k"].flatMap((budget) =>
			["cwl-economy", "cwl", "cwl-quality"].map((name) => `${name}@${budget}`),
		),
	]);
	const { policies } = await reportWith({
		paths: [join(folder, "a.jsonl"), join(folder, "b.jsonl")],
		arms,
		setup: { pressure: 4_000 },
	});
	const [uncapped, , auto, ...capped] = policies;
	expect(auto).toMatchObject({ isAuto: true, budget: 160_000, passes: 0 });
	for (const policy of capped) {
		expect(policy.pressed?.requests).toBe(uncapped?.pressed?.requests);
		expect(policy.grounding.edit.needed).toBe(uncapped?.grounding.edit.needed);
		expect(policy.maxContext).toBeLessThanOrEqual(policy.budget);
		expect(policy.violations).toBe(0);
	}
	const advice = advise(policies);
	expect(policies.map(({ policy }) => policy)).toContain(advice?.policy);
	expect(advice?.reason).toMatch(/^It keeps \d+\.\d % of what later steps needed/);
});

function setting(policy: string, cost: number, kept: number, overBudget = 0): PolicyReport {
	const { requests: _, ...rest } = describeTraffic(sumTallies([], 2), []);
	const traffic = { ...rest, requests: 10, overBudget, cost: { anthropic: cost, openai: cost } };
	const edit = { needed: 1_000, kept, recallable: 0 };
	const figures = {
		...traffic,
		faults: { evicted: 0, absences: 0, faults: 0 },
		pressed: traffic,
		grounding: { ...emptyGrounding, edit },
		violations: 0,
		thinking: noThinking,
		costComparedToNone: null,
	};
	return {
		...figures,
		...{
			policy,
			budget: 50_000,
			isAuto: policy.endsWith("auto"),
			versusPaper: null,
		},
		sessionsMoreExpensive: null,
		...{ violationExamples: [], bySession: [{ session: "a", ...figures }] },
	};
}

const uncapped = setting("none", 100, 1_000);

test("the cheapest that keeps nearly as much as the best is advised", () => {
	const near = [
		uncapped,
		setting("cwl-economy", 40, 900),
		setting("cwl", 50, 985),
		setting("cwl-quality", 60, 990),
	];
	expect(advise(near)?.policy).toBe("cwl");
	expect(advise(near)?.reason).toBe(
		"It keeps 98.5 % of what later steps needed (0.5 points less than the best setting) and costs 50 % less than no " +
			"eviction, the price of 50 uncached input tokens a session. The next cheaper setting, " +
			'{ "budget": "50k", "lowWater": "economy" }, costs 20 % less and keeps 90.0 %.',
	);
	const far = [
		uncapped,
		setting("cwl-economy", 40, 900),
		setting("cwl", 50, 970),
		setting("cwl-quality", 60, 990),
	];
	expect(advise(far)?.policy).toBe("cwl-quality");
});

test("the automatic budget is advised as the setting that it is, and a dearer one as dearer", () => {
	const advice = advise([uncapped, setting("cwl@auto", 110, 990)]);
	expect(advice?.setting).toBe('{ "budget": "auto" }');
	expect(advice?.reason).toContain("(the most of all settings) and costs 10 % more than no eviction");
});

test("the advice compares with pi's own compaction too, which is never advised itself", () => {
	const advice = advise([uncapped, setting("compaction@160k", 80, 1_000), setting("cwl@auto", 60, 990)]);
	expect(advice?.policy).toBe("cwl@auto");
	expect(advice?.reason).toContain(
		"and costs 25 % less than pi's own compaction, the price of 20 uncached input tokens a session, " +
			"and 40 % less than no eviction, the price of 40 uncached input tokens a session.",
	);
});

test("what breaks its budget is advised only when everything does", () => {
	const one = setting("cwl-quality", 60, 990);
	expect(advise([setting("cwl-economy", 40, 990, 1), one])?.policy).toBe("cwl-quality");
	expect(advise([setting("cwl-economy", 40, 990, 1), { ...one, pressed: null }])?.policy).toBe("cwl-economy");
});

test("a policy of live sessions is advised by its name, and one of replays only is not", () => {
	const policies = [uncapped, setting("recency@50k", 30, 999), setting("paper@50k", 60, 990)];
	expect(advise(policies)).toMatchObject({
		policy: "paper@50k",
		setting: '{ "budget": "50k", "policy": "paper" }',
	});
	expect(advise(policies.slice(0, 2))).toBeNull();
});

test("sessions that outgrow no budget, or need nothing, say nothing", () => {
	expect(advise([uncapped, { ...setting("cwl-economy", 40, 900), pressed: null }])).toBeNull();
	expect(advise([uncapped, { ...setting("cwl-economy", 40, 0), grounding: emptyGrounding }])).toBeNull();
});

test("a replay begins with one sentence that compares cwl with pi's own compaction, true to its figures", async () => {
	const arms = underBudget("none,compaction:keep=500:summary=100,cwl");
	const report = await reportWith({ paths: [join(folder, "verdict")], arms });
	const [, compaction, cwl] = report.policies;
	const ratio = (cwl?.pressed?.cost.anthropic ?? 0) / (compaction?.pressed?.cost.anthropic ?? 1);
	const percent = Math.round(100 * Math.abs(ratio - 1));
	const { kept = 0, needed = 1 } = cwl?.grounding.edit ?? {};
	const [first = ""] = formatReport(report).split("\n\n");
	expect(first.replaceAll("\n", " ")).toBe(report.verdict);
	expect(report.verdict).toMatch(
		/^On 1 of your 2 sessions \(those that outgrow 4\.?0?k tokens\) cwl would have cost /,
	);
	expect(report.verdict).toContain(`${percent} % ${ratio < 1 ? "less" : "more"} than pi's own compaction`);
	expect(report.verdict).toContain(`${Math.round((100 * kept) / needed)} %`);
});

test("without compaction the comparison is with no eviction, and nothing is claimed of small sessions", async () => {
	const report = await reportWith({ paths: [join(folder, "verdict")], arms: underBudget("none,cwl") });
	expect(report.verdict).toContain("than no eviction");
	const small = await reportWith({ paths: [join(folder, "verdict", "short.jsonl")] });
	expect(small.verdict).toMatch(/^Your session does not outgrow 4\.?0?k tokens/);
	expect(describeVerdict({ ...small, sessions: { ...small.sessions, replayed: 0 } })).toBe(
		"No session was replayed.",
	);
});
