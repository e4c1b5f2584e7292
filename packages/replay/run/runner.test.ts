import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeLongSession } from "../test-support/long-session.ts";
import { writeSessionFile } from "../test-support/replay-run.ts";
import { runReplays } from "./run.ts";
import { createLocalRunner, createThreadRunner, type Runner } from "./runner.ts";
import { openReplay, type ReplaySettings } from "./setup.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-runner-"));
	for (const rounds of [40, 5, 20, 10]) {
		await writeSessionFile(join(folder, `rounds-${rounds}.jsonl`), writeLongSession(rounds));
	}
});
afterAll(() => rm(folder, { recursive: true }));

const settings: ReplaySettings = {
	as: undefined,
	addsThinking: false,
	comparison: { type: "policies", policies: "none,paper,masking:keep=3", budget: 6_000 },
	...{ models: ["openai/gpt-5"], annotation: "recorded", requests: undefined },
	...{ withCourse: true, withTimes: false },
};

function run(runners: readonly Runner[], signal = new AbortController().signal) {
	const paths = [folder, join(folder, "missing.jsonl")];
	return runReplays({
		paths,
		chaining: undefined,
		signal,
		onProgress: () => {},
		createRunners: () => runners,
	});
}

test("threads answer what this thread answers, in the same order", { timeout: 60_000 }, async () => {
	const threads = [createThreadRunner(settings), createThreadRunner(settings)];
	const alone = await run([createLocalRunner(await openReplay(settings))]);
	expect(JSON.stringify(await run(threads))).toBe(JSON.stringify(alone));
	expect(alone.replays).toHaveLength(4);
	expect(alone.problems).toHaveLength(1);
	expect(alone.replays[0]?.results[1]?.course.contexts.length).toBeGreaterThan(0);
});

test("a thread that is told to stop answers without a replay", { timeout: 60_000 }, async () => {
	const thread = createThreadRunner(settings);
	thread.stop();
	const outcome = await thread.run({ name: "a", places: [{ path: join(folder, "rounds-40.jsonl") }] });
	expect(outcome).toMatchObject({ replay: undefined, problems: [] });
	await thread.close();
});

test("settings that cannot be met are refused", async () => {
	await expect(openReplay({ ...settings, models: ["nobody/none"] })).rejects.toMatchObject({
		code: "unknown-model",
	});
});
