import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Report } from "#lab";
import { reportWith, underBudget, writeSessionFile } from "../../packages/lab/test-support/lab.ts";
import { writeLongSession } from "../../packages/lab/test-support/long-session.ts";
import { missFigures } from "./figures.ts";
import { formatMisses } from "./table.ts";

let report: Report;
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-misses-"));
	await writeSessionFile(join(folder, "long.jsonl"), writeLongSession(30));
	await writeSessionFile(join(folder, "medium.jsonl"), writeLongSession(20));
	await writeSessionFile(join(folder, "short.jsonl"), writeLongSession(2));
	const made = await reportWith({ paths: [folder], arms: underBudget("none,paper,cwl") });
	report = { ...made, policies: made.policies.map(withMisses) };
});
afterAll(() => rm(folder, { recursive: true }));

/** Each session needs ten edits; of the long one every policy but `none` loses four, of the others one. */
function withMisses(policy: Report["policies"][number]): Report["policies"][number] {
	const bySession = policy.bySession.map((each) => {
		const missed = policy.policy === "none" ? 0 : each.session === "long" ? 4 : 1;
		const edit = { needed: 10, kept: 10 - missed, recallable: 0 };
		return { ...each, grounding: { ...each.grounding, edit } };
	});
	return { ...policy, bySession };
}

test("shares are those of the sessions under pressure, with and without the one that misses most", () => {
	const { sessions, worst, all, withoutWorst } = missFigures(report);
	expect({ sessions, worst }).toEqual({ sessions: 2, worst: "long" });
	const cwl = all.find(({ policy }) => policy === "cwl");
	expect(cwl).toMatchObject({ missedEdits: 5, kept: { edit: { value: 0.75 } } });
	expect(cwl?.kept.edit.interval?.low).toBeCloseTo(0.6);
	expect(withoutWorst.find(({ policy }) => policy === "cwl")).toMatchObject({
		missedEdits: 1,
		kept: { edit: { value: 0.9, interval: undefined } },
	});
});

test("a cost stands next to each reference that was replayed, and is larger with repair where something is missing", () => {
	const [none, paper, cwl] = missFigures(report).all;
	expect(paper?.cost.map((share) => share?.value)).toEqual([1, undefined]);
	expect(none?.repairs).toBe(0);
	expect(none?.cost[0]?.value).toBeGreaterThan(cwl?.cost[0]?.value ?? Number.NaN);
	for (const { pressed } of report.policies) {
		const { repair, cost, costWithRepair } = pressed ?? {};
		expect((costWithRepair?.anthropic ?? 0) > (cost?.anthropic ?? 0)).toBe((repair?.requests ?? 0) > 0);
	}
});

test("the page says which session is left out", () => {
	const text = formatMisses([missFigures(report)]);
	expect(text).toContain("## Budget 4k: 2 sessions under pressure");
	expect(text).toContain("Without `long`, the session in which `cwl` misses most edits:");
});
