import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import type { ModelMessage } from "../model.ts";
import { createRandom } from "./random.ts";
import { makeTasks } from "./tasks/tasks.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";
import { type Eviction, simulate } from "./test-support/simulation.ts";
import { createWorker } from "./worker.ts";

/** One and a half rounds of all kinds. */
const TASKS = 13;
/** A worker that starts over succeeds sooner or later; the default patience is too short for so much loss. */
const LONG_PATIENCE = 400;

/** Recency truncation at its strongest: only the user turns and the last exchange are left. */
const keepLastExchange: Eviction = (history) => {
	const last = history.findLastIndex(({ type }) => type === "assistant");
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
		const last = history.findLastIndex(({ type }) => type === "assistant");
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

describe("a worker whose history is evicted", () => {
	it("solves every task when calls, texts and replies are evicted at random", {
		timeout: 120_000,
	}, async () => {
		const percents = fc.integer({ min: 5, max: 45 });
		await fc.assert(
			fc.asyncProperty(fc.nat(1000), fc.nat(), percents, async (seed, chance, percent) => {
				const worker = createWorker({ patience: LONG_PATIENCE });
				const options = { evict: forgetAtRandom(chance, percent), limit: LONG_PATIENCE };
				const directory = await makeScratchRepository(seed);
				const runs = await simulate(worker, directory, makeTasks(seed, TASKS), options);
				expect(runs.filter((run) => !run.solved)).toEqual([]);
			}),
			{ numRuns: 5 },
		);
	});

	it("gives up with a text after its patience, even if its attempts are evicted", async () => {
		const nowhere = join(createScratch(), "missing");
		const worker = createWorker({ patience: 6 });
		const [run] = await simulate(worker, nowhere, makeTasks(1, 1), { evict: keepLastExchange });
		expect(run).toMatchObject({ requests: 7, answer: expect.stringMatching(/^I give up after 6 requests/) });
	});
});
