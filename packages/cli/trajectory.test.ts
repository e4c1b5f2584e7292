import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scripted } from "#loopback";
import { makeTrajectory } from "#replay";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";

const header = { type: "session", id: "s1" };
const entry = (id: string, parentId: string | null, message: object) => ({
	type: "message",
	id,
	parentId,
	message,
});
const user = (text: string) => ({ role: "user", content: text });
const said = (text: string) => ({
	role: "assistant",
	provider: "p",
	model: "m",
	content: [{ type: "text", text }],
});

test("only the branch that ends at the last entry is in the trajectory", () => {
	const entries = [
		header,
		entry("a", null, user("one")),
		entry("b", "a", said("left behind")),
		entry("c", "a", said("kept")),
	];
	expect(makeTrajectory(entries, "1").steps.map(({ message }) => message)).toEqual(["one", "kept"]);
});

test("--skip leaves out entries of earlier tasks and keeps the header", () => {
	const entries = [
		header,
		entry("a", null, user("one")),
		entry("b", "a", said("1")),
		entry("c", "b", user("two")),
	];
	const { session_id, steps } = makeTrajectory(entries, "1", 3);
	expect(session_id).toBe("s1");
	expect(steps).toMatchObject([{ step_id: 1, source: "user", message: "two" }]);
});

test("an eviction pass and a compaction are steps of the system", () => {
	const pass = { policy: "cwl", budget: 100, before: 120, after: 60, strips: [] };
	const entries = [
		header,
		{ type: "custom", id: "a", parentId: null, customType: "cwl.pass", data: pass },
		{ type: "custom", id: "b", parentId: "a", customType: "other", data: {} },
		{ type: "compaction", id: "c", parentId: "b", summary: "short" },
	];
	expect(makeTrajectory(entries, "1").steps).toMatchObject([
		{ source: "system", message: "Evicted from 120 to 60 tokens.", extra: { event: "eviction" } },
		{ source: "system", message: "short", extra: { event: "compaction" } },
	]);
});

test("one session of the real pi continues from task to task, and each task has its own trajectory", async () => {
	const calls = [{ name: "bash", arguments: { command: "echo hi; exit 3" } }];
	const model = scripted([
		{ thinking: "Hm.", text: "Looking.", calls },
		{ text: "Done." },
		{ text: "Again." },
	]);
	const trial = await startTrial({ model, api: "anthropic" });
	const sessions = join(trial.directory, "sessions");
	const agent = ["-p", "--session-dir", sessions, "--continue"];
	const trajectory = async (skip: number) => {
		const [file = ""] = await readdir(sessions);
		const { code, stdout } = await trial.run([
			"report",
			join(sessions, file),
			"--trajectory",
			"--skip",
			String(skip),
		]);
		expect(code).toBe(0);
		return JSON.parse(stdout);
	};
	await trial.run([...agent, "the first task"]);
	const first = await trajectory(0);
	expect(first).toMatchObject({ schema_version: "ATIF-v1.4", agent: { name: "cwl" } });
	const steps = first.steps.filter(({ source }: { source: string }) => source !== "system");
	expect(steps).toMatchObject([
		{ source: "user", message: "the first task" },
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

	await trial.run([...agent, "the second task"]);
	expect(await readdir(sessions)).toHaveLength(1);
	const both = await trajectory(0);
	const skipped = both.steps.length - (await trajectory(1)).steps.length;
	expect(skipped).toBe(0);
	expect(both.steps.map(({ message }: { message: string }) => message)).toContain("the first task");
	expect(
		trial.requests
			.at(-1)
			?.messages.some((message) => "text" in message && message.text.includes("the first task")),
	).toBe(true);
}, 60_000);

test.each([
	[["report", "--trajectory"]],
	[["report", "--trajectory", "/no/such/file"]],
	[["report", "x", "--trajectory", "--skip", "some"]],
])(
	"cwl %j is refused in one line with exit code 2",
	async (args) => {
		const trial = await startTrial({ model: () => ({ text: "" }) });
		const { code, stdout, stderr } = await trial.run(args);
		expect([code, stdout]).toEqual([2, ""]);
		expect(stderr).toMatch(/^cwl: [^\n]+\n$/);
	},
	30_000,
);
