import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import type { ModelMessage } from "../model.ts";
import { createRandom } from "./random.ts";
import { makeTasks } from "./tasks/tasks.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";
import { type Eviction, simulate, type TaskRun } from "./test-support/simulation.ts";
import { createWorker } from "./worker.ts";

/** One and a half rounds of all kinds. */
const TASKS = 13;
const SEED = 21;
/** A worker that starts over succeeds sooner or later; the default patience is too short for so much loss. */
const LONG_PATIENCE = 400;

const lastReply = (history: readonly ModelMessage[]): number =>
	history.findLastIndex((message) => message.type === "assistant");

/** Recency truncation at its strongest: only the user turns and the last exchange are left. */
const keepLastExchange: Eviction = (history) => {
	const last = lastReply(history);
	return history.filter((message, index) => message.type === "user" || index >= last);
};

/**
 * At each request each older call is evicted with its result at a chance of `percent` in 100, and so are texts and
 * whole replies. Evicted content stays evicted. User turns and the last exchange are never touched.
 */
function forgetAtRandom(seed: number, percent: number): Eviction {
	const random = createRandom(seed);
	const calls = new Set<string>();
	const texts = new Set<number>();
	const strikes = (): boolean => random.between(1, 100) <= percent;
	return (history) => {
		const last = lastReply(history);
		for (const [index, message] of history.entries()) {
			if (message.type !== "assistant" || index >= last) continue;
			const whole = strikes();
			if (whole || strikes()) texts.add(index);
			for (const call of message.calls) if (whole || strikes()) calls.add(call.id);
		}
		return history.flatMap((message, index) => show(message, calls, texts.has(index)));
	};
}

function show(message: ModelMessage, calls: ReadonlySet<string>, silent: boolean): readonly ModelMessage[] {
	if (message.type === "user" || message.type === "system") return [message];
	if (message.type === "result") return calls.has(message.callId) ? [] : [message];
	const kept = message.calls.filter((call) => !calls.has(call.id));
	if (!silent) return [{ ...message, calls: kept }];
	return kept.length > 0 ? [{ ...message, thinking: "", text: "", calls: kept }] : [];
}

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

	it("gives up with a text after its patience, even if its attempts are evicted", async () => {
		const nowhere = join(createScratch(), "missing");
		const worker = createWorker({ patience: 6 });
		const [run] = await simulate(worker, nowhere, makeTasks(SEED, 1), { evict: keepLastExchange });
		expect(run).toMatchObject({ requests: 7, answer: expect.stringMatching(/^I give up after 6 requests/) });
	});
});
