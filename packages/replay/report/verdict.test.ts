import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyGrounding } from "../metrics/grounding.ts";
import { noThinking } from "../metrics/thinking.ts";
import { describeTraffic, emptyTally } from "../metrics/traffic.ts";
import { reportWith, sessionsFolder, underBudget } from "../test-support/replay-run.ts";
import { advise } from "./advice.ts";
import type { PolicyReport } from "./figures.ts";
import { formatReport } from "./tables.ts";
import { describeVerdict } from "./verdict.ts";

const noIntervals: PolicyReport["intervals"] = {
	costComparedToNone: null,
	chargedCostComparedToNone: null,
	edit: null,
	own: null,
	name: null,
	conclusion: null,
};

function setting(policy: string, cost: number, kept: number, overBudget = 0, charged = 0): PolicyReport {
	const traffic = describeTraffic({ ...emptyTally(0), requests: 10, overBudget, costs: [cost, cost] }, []);
	const grounding = { ...emptyGrounding, edit: { needed: 1_000, kept } };
	return {
		...{ ...traffic, pressed: traffic, grounding, violations: 0 },
		policy,
		budget: 50_000,
		isAuto: policy.endsWith("auto"),
		thinking: noThinking,
		bySession: [],
		costComparedToNone: null,
		sessionsMoreExpensive: null,
		violationExamples: [],
		chargedCostComparedToNone: null,
		intervals: noIntervals,
		looks: { count: 0, tokens: 0, cost: { anthropic: charged, openai: charged }, dollars: {} },
	};
}

const uncapped = setting("none", 100, 1_000);

/** Compaction that was made: its summary took a call. */
function compacted(cost: number): PolicyReport {
	const made = setting("compaction@160k", cost, 1_000);
	return { ...made, extraCalls: { ...made.extraCalls, calls: 1 } };
}

test("the cheapest that keeps nearly as much as the best is advised, compared with what pi does without cwl", () => {
	const economy = setting("cwl-economy", 40, 900);
	const best = setting("cwl-quality", 60, 990);
	const near = [compacted(80), uncapped, economy, setting("cwl", 50, 985), best];
	expect(advise(near)).toMatchObject({
		policy: "cwl",
		setting: '{ "budget": "50k", "lowWater": "balanced" }',
		isDefault: false,
		reason:
			"it costs 38 % less than pi's own compaction and 50 % less than no eviction, and keeps 99 % of what later steps needed",
	});
	expect(advise([uncapped, economy, setting("cwl", 50, 970), best])?.policy).toBe("cwl-quality");
});

test("the default is the advice where it is nearly as cheap and keeps nearly as much; otherwise the advice is compared with it", () => {
	const adviceWith = (...all: readonly PolicyReport[]) => advise([uncapped, ...all]);
	const chosen = setting("cwl-quality", 60, 990);
	expect(adviceWith(chosen, setting("cwl@auto", 61, 985))).toMatchObject({
		isDefault: true,
		setting: '{ "budget": "auto" }',
		reason: "it costs 39 % less than no eviction, and keeps 99 % of what later steps needed",
	});
	expect(adviceWith(chosen, setting("cwl@auto", 65, 985))).toMatchObject({
		isDefault: false,
		reason: expect.stringMatching(/^it costs 8 % less than the default and 40 % less than no eviction, /),
	});
	expect(adviceWith(chosen, setting("cwl@auto", 61, 970))).toMatchObject({ isDefault: false });
	expect(adviceWith(setting("cwl@auto", 110, 990))).toMatchObject({ isDefault: true });
});

test("a compaction that was never made is compared with nothing", () => {
	const never = setting("compaction@160k", 100, 1_000);
	expect(advise([never, uncapped, setting("cwl@auto", 61, 985)])?.reason).not.toContain("compaction");
	const report = { policies: [never, uncapped, setting("cwl", 61, 985)], budget: 50_000 };
	const sessions = { planned: 1, replayed: 1, formats: {}, annotated: 0, pressed: 1 };
	const verdict = describeVerdict({ ...report, sessions }, null);
	expect(verdict).toMatch(
		/^On this session, once it outgrows 50k tokens, cwl would have cost 39 % less than no eviction and kept /,
	);
});

test("the advice goes by the charged cost: a setting whose looks cost more than it saves is not advised", () => {
	const lean = setting("cwl", 50, 990, 0, 20);
	const careful = setting("cwl-quality", 60, 990, 0, 1);
	expect(advise([uncapped, lean, careful])?.policy).toBe("cwl-quality");
	expect(advise([uncapped, setting("cwl", 50, 990, 0, 5), careful])?.policy).toBe("cwl");
});

test("what breaks its budget is advised only when everything does", () => {
	const one = setting("cwl-quality", 60, 990);
	expect(advise([setting("cwl-economy", 40, 990, 1), one])?.policy).toBe("cwl-quality");
	expect(advise([setting("cwl-economy", 40, 990, 1), { ...one, pressed: null }])?.policy).toBe("cwl-economy");
});

test("a policy of live sessions is advised by its name, and one of replays only is not", () => {
	const policies = [uncapped, setting("window@50k", 30, 999), setting("paper@50k", 60, 990)];
	const paper = { policy: "paper@50k", setting: '{ "budget": "50k", "policy": "paper" }' };
	expect(advise(policies)).toMatchObject(paper);
	expect(advise(policies.slice(0, 2))).toBeNull();
});

test("sessions that outgrow no budget, or need nothing, say nothing", () => {
	expect(advise([uncapped, { ...setting("cwl-economy", 40, 900), pressed: null }])).toBeNull();
	expect(advise([uncapped, { ...setting("cwl-economy", 40, 0), grounding: emptyGrounding }])).toBeNull();
});

test("a replay begins with one sentence that compares cwl with pi's own compaction, true to its figures", async () => {
	const folder = await sessionsFolder({ "long.jsonl": 30, "short.jsonl": 1 });
	const arms = underBudget("none,compaction:keep=500:summary=100,cwl");
	const report = await reportWith({ paths: [folder], arms });
	const [, compaction, cwl] = report.policies;
	const ratio = (cwl?.pressed?.cost.anthropic ?? 0) / (compaction?.pressed?.cost.anthropic ?? 1);
	const percent = Math.round(100 * Math.abs(ratio - 1));
	const { kept = 0, needed = 1 } = cwl?.grounding.edit ?? {};
	const [first = ""] = formatReport(report).split("\n\n");
	expect(first.replaceAll("\n", " ")).toBe(report.verdict);
	expect(report.verdict).toMatch(
		/^On 1 of these 2 sessions, once they outgrow 4\.?0?k tokens, cwl would have cost /,
	);
	expect(report.verdict).toContain(`${percent} % ${ratio < 1 ? "less" : "more"} than pi's own compaction`);
	expect(report.verdict).toContain(`${Math.round((100 * kept) / needed)} %`);
	const pair = await reportWith({ paths: [folder], arms: underBudget("none,cwl") });
	expect(pair.verdict).toContain("than no eviction");
	const small = await reportWith({ paths: [join(folder, "short.jsonl")] });
	expect(small.verdict).toMatch(
		/^This session does not outgrow 4k tokens, so no policy has to evict anything/,
	);
	expect(formatReport(small)).not.toContain("Under pressure");
	const none = describeVerdict({ ...small, sessions: { ...small.sessions, replayed: 0 } }, null);
	expect(none).toBe("No session was replayed.");
});
