import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeLongSession } from "../test-support/long-session.ts";
import { reportWith, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { formatReport } from "./layout.ts";
import { describeVerdict } from "./verdict.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-verdict-"));
	await writeSessionFile(join(folder, "long.jsonl"), writeLongSession(30));
	await writeSessionFile(join(folder, "short.jsonl"), writeLongSession(1));
});
afterAll(() => rm(folder, { recursive: true }));

test("a replay begins with one sentence that compares cwl with pi's own compaction, true to its figures", async () => {
	const arms = underBudget("none,compaction:keep=500:summary=100,cwl");
	const report = await reportWith({ paths: [folder], arms });
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
	const report = await reportWith({ paths: [folder], arms: underBudget("none,cwl") });
	expect(report.verdict).toContain("than no eviction");
	const small = await reportWith({ paths: [join(folder, "short.jsonl")] });
	expect(small.verdict).toMatch(/^Your session does not outgrow 4\.?0?k tokens/);
	expect(describeVerdict({ ...small, sessions: { ...small.sessions, replayed: 0 } })).toBe(
		"No session was replayed.",
	);
});
