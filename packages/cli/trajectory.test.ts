import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTrajectory } from "#replay/readers";
import { scripted } from "#testing";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";

test("--skip leaves out lines of earlier tasks and keeps the header; a pass and a compaction are steps of the system", () => {
	const user = (text: string) => ({ type: "message", message: { role: "user", content: text } });
	const pass = { policy: "cwl", budget: 100, before: 120, after: 60, strips: [] };
	const lines = [
		user("one"),
		{ type: "custom", customType: "cwl.pass", data: pass },
		{ type: "custom", customType: "other", data: {} },
		{ type: "compaction", summary: "short" },
		user("two"),
	];
	const entries = lines.map((line, at) => ({ ...line, id: `${at}`, parentId: at > 0 ? `${at - 1}` : null }));
	const { session_id, steps } = makeTrajectory([{ type: "session", id: "s1" }, ...entries], "1", 2);
	expect(session_id).toBe("s1");
	expect(steps).toMatchObject([
		{ source: "system", message: "Evicted from 120 to 60 tokens.", extra: { event: "eviction" } },
		{ source: "system", message: "short", extra: { event: "compaction" } },
		{ step_id: 3, source: "user", message: "two" },
	]);
});

test("a session of the real pi is printed with its calls, results and tokens", async () => {
	const calls = [{ name: "bash", arguments: { command: "echo hi; exit 3" } }];
	const model = scripted([{ thinking: "Hm.", text: "Looking.", calls }, { text: "Done." }]);
	const trial = await startTrial({ model, api: "anthropic" });
	const sessions = join(trial.directory, "sessions");
	await trial.run(["-p", "--session-dir", sessions, "the first \u202e\u009b task"]);
	const file = (await readdir(sessions)).find((name) => name.endsWith(".jsonl")) ?? "";
	const { code, stdout } = await trial.run(["report", join(sessions, file), "--trajectory", "--skip", "0"]);
	expect(code).toBe(0);
	expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
	const first = JSON.parse(stdout);
	expect(first).toMatchObject({ schema_version: "ATIF-v1.4", agent: { name: "cwl" } });
	const steps = first.steps.filter(({ source }: { source: string }) => source !== "system");
	expect(steps).toMatchObject([
		{ source: "user", message: "the first \u202e\u009b task" },
		{
			source: "agent",
			message: "Looking.",
			model_name: "loopback/anthropic",
			tool_calls: [{ function_name: "bash", arguments: { command: "echo hi; exit 3" } }],
			observation: {
				results: [{ source_call_id: expect.any(String), content: expect.stringContaining("hi") }],
			},
			extra: { failed_calls: [expect.any(String)] },
		},
		{ source: "agent", message: "Done." },
	]);
	expect(steps[1].observation.results[0].source_call_id).toBe(steps[1].tool_calls[0].tool_call_id);
	const sum = steps.reduce(
		(total: number, { metrics }: { metrics?: { prompt_tokens: number } }) =>
			total + (metrics?.prompt_tokens ?? 0),
		0,
	);
	expect(first.final_metrics.total_prompt_tokens).toBe(sum);
	expect(sum).toBeGreaterThan(0);
});
