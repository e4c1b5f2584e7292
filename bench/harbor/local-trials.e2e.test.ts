/** The adapter, the packed package that it installs, and the real pi, against the loopback server: only a key is missing. */
import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { LOOPBACK_PROVIDER, writeAgentDirectory } from "#testing/pi-driver";
import { startLoopback } from "#testing/server";
import { createScratchRepository, createWorker } from "#testing/worker";
import { makeTasks } from "#testing/worker/tasks";

const run = promisify(execFile);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const project = join(import.meta.dirname, "..", "..");
const TASKS = 3;

test.skipIf(!hasPython)(
	"trials of the Harbor adapter continue one session, and each task is solved",
	async () => {
		const root = await mkdtemp(join(tmpdir(), "cwl-harbor-"));
		onTestFinished(() => rm(root, { recursive: true, force: true }));
		const worker = createWorker();
		let last = "";
		const loopback = await startLoopback({
			model: (request) => {
				last = JSON.stringify(request.messages);
				return worker(request);
			},
		});
		onTestFinished(() => loopback.close());
		const [agent, work] = [join(root, "agent"), join(root, "work")];
		await Promise.all([agent, work].map((folder) => mkdir(folder)));
		await writeAgentDirectory(agent, { url: loopback.url });
		await createScratchRepository(work, 1);
		const tasks = makeTasks(1, TASKS);
		const { stdout: packed } = await run("npm", ["pack", "--silent", "--pack-destination", root], {
			cwd: project,
		});

		const settings = {
			...{ root, work, package: join(root, packed.trim().split("\n").at(-1) ?? "") },
			...{ model: `${LOOPBACK_PROVIDER}/anthropic`, session: join(root, "one-session") },
			environment: { PI_CODING_AGENT_DIR: agent },
			instructions: tasks.map(({ prompt }) => prompt),
		};
		const program = join(import.meta.dirname, "test-support", "local_trials.py");
		const { stdout } = await run("python3", ["-B", program, JSON.stringify(settings)]);

		const trials = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(trials).toHaveLength(TASKS);
		for (const { n_input_tokens, n_output_tokens, steps } of trials) {
			expect(n_input_tokens).toBeGreaterThan(1_000);
			expect(n_output_tokens).toBeGreaterThan(0);
			expect(steps).toBeGreaterThan(5);
		}
		expect(await tasks.at(-1)?.verify(work)).toBe(true);
		// The brief of the session lies next to it.
		const kept = (await readdir(settings.session)).filter((name) => name.endsWith(".jsonl"));
		expect(kept).toHaveLength(1);
		const records = loopback.records();
		expect(records.filter(({ refused, promptTokens }) => refused || promptTokens > 24_000)).toEqual([]);
		// One session: what an earlier trial was asked is in the last request.
		for (const { prompt } of tasks) expect(last).toContain(JSON.stringify(prompt).slice(1, 40));
	},
);
