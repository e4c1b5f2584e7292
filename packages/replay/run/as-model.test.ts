import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { budgetTokens } from "#pi/settings";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { loadModel } from "../metrics/prices.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { RecordedSession } from "../readers/recorded-session.ts";
import { calls, recorded, reply, result, says, thinks, user } from "../test-support/messages.ts";
import { reportWith, writeSessionFile } from "../test-support/replay-run.ts";
import { armsUnder } from "./arms.ts";

/** Each of 100 rounds reads 2,000 tokens of a file: 166,000 tokens, far above the price step of Haiku 5.5. */
function readFiles(asked: string): RecordedSession {
	const rounds = Array.from({ length: 100 }, (_, round) => [
		user(round === 0 ? asked : `read part ${round}`),
		reply(calls(`read${round}`, "read", { path: `src/part${round}.ts` })),
		result(`read${round}`, `line of ${round}\n`.repeat(600)),
		reply(thinks(`so that is part ${round}`), says(`part ${round} is read`)),
	]);
	return recorded(...rounds.flat());
}

const folder = scratchFolder();
beforeAll(async () => {
	await writeSessionFile(join(folder, "long", "s.jsonl"), readFiles("begin"));
	await writeSessionFile(join(folder, "asked", "s.jsonl"), readFiles("word ".repeat(84_000)));
});

/** The policies under an automatic budget, as `cwl replay --as` runs them. */
async function replayAs(name: string, sessions: string, policy = "cwl") {
	const model = await loadModel(name);
	const budget = budgetTokens({ type: "auto" }, model.contextWindow);
	const arms = armsUnder(budget, parsePolicies(`none,${policy}`), true);
	const paths = [join(folder, sessions)];
	const { policies } = await reportWith({ paths, arms, setup: { model }, pressure: 80_000 });
	const [none, cwl] = policies;
	if (!none || !cwl) throw new Error("no figures");
	return { none, cwl };
}

describe("a session replayed as another model", () => {
	test("crosses no price step under an automatic budget", async () => {
		const { none, cwl } = await replayAs("anthropic/claude-haiku-5-5", "long");
		expect(none.maxContext).toBeGreaterThan(150_000);
		expect(cwl.maxContext).toBeLessThanOrEqual(100_000);
		expect(cwl.passes).toBeGreaterThan(0);
		expect(cwl.violations).toBe(0);
	});

	test("crosses a price step where what the user wrote is above it", async () => {
		const { cwl } = await replayAs("anthropic/claude-haiku-5-5", "asked");
		expect(cwl.maxContext).toBeGreaterThan(105_000);
		expect(cwl.maxContext).toBeLessThanOrEqual(160_000);
	});

	test("loses thinking under a policy that changes the prefix, unless the model reads it behind any prefix", async () => {
		const checked = await replayAs("anthropic/claude-opus-5-5", "long", "window");
		expect(checked.cwl.thinking.readable).toBeLessThan(checked.cwl.thinking.sent);
		const unchecked = await replayAs("openai/gpt-5.4", "long", "window");
		expect(unchecked.cwl.thinking.sent).toBeGreaterThan(0);
		expect(unchecked.cwl.thinking.readable).toBe(unchecked.cwl.thinking.sent);
	});
});
