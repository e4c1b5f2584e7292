import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTasks } from "./tasks/tasks.ts";
import { forgetAtRandom, keepLastExchange } from "./test-support/forgetting.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import { type Eviction, simulate, type TaskRun } from "./test-support/simulation.ts";
import { createWorker } from "./worker.ts";

/** One and a half rounds of all kinds. */
const TASKS = 13;
const SEED = 21;
/** A worker that starts over succeeds sooner or later; the default patience is too short for so much loss. */
const LONG_PATIENCE = 400;

async function runWith(seed: number, evict?: Eviction): Promise<readonly TaskRun[]> {
	const directory = await makeScratchRepository(seed);
	const worker = createWorker({ patience: LONG_PATIENCE });
	return simulate(worker, directory, makeTasks(seed, TASKS), {
		...(evict ? { evict } : {}),
		limit: LONG_PATIENCE,
	});
}

const unsolved = (runs: readonly TaskRun[]) => runs.filter((run) => !run.solved);
const sum = (runs: readonly TaskRun[], key: "requests" | "added") =>
	runs.reduce((total, run) => total + run[key], 0);

describe("a worker whose history is evicted", () => {
	it("solves every task when calls, texts and replies are evicted at random", {
		timeout: 120_000,
	}, async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(1000),
				fc.nat(),
				fc.integer({ min: 5, max: 45 }),
				async (seed, chance, percent) => {
					expect(unsolved(await runWith(seed, forgetAtRandom(chance, percent)))).toEqual([]);
				},
			),
			{ numRuns: 5 },
		);
	});

	it("needs more requests and more content when it sees only the last exchange", async () => {
		const whole = await runWith(SEED);
		const truncated = await runWith(SEED, keepLastExchange);
		expect(sum(truncated, "requests")).toBeGreaterThan(sum(whole, "requests"));
		expect(sum(truncated, "added")).toBeGreaterThan(sum(whole, "added"));
	});

	it("gives up with a text after its patience, even if its attempts are evicted", () => {
		const patience = 6;
		const worker = createWorker({ patience });
		const [task] = makeTasks(SEED, 1);
		const prompt = { type: "user" as const, text: task?.prompt ?? "" };
		let shown: Parameters<typeof worker>[0]["messages"] = [prompt];
		let requests = 0;
		for (let reply = worker({ system: "", tools: ALL_TOOLS, messages: shown }); reply.calls; ) {
			requests += 1;
			const calls = reply.calls.map((call, index) => ({ ...call, id: `${requests}-${index}` }));
			const results = calls.map(({ id }) => ({
				type: "result" as const,
				callId: id,
				text: "disk full",
				isError: true,
			}));
			shown = [prompt, { type: "assistant", thinking: "", text: reply.text ?? "", calls }, ...results];
			reply = worker({ system: "", tools: ALL_TOOLS, messages: shown });
		}
		expect(requests).toBe(patience);
	});
});
