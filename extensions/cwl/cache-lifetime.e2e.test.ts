import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { readFileOfTurn, turn, writeFilesOfTurns } from "./test-support/file-reader.ts";
import { readState } from "./test-support/state.ts";
import { keepsSystemMessages, startTrial, type Trial, until } from "./test-support/trial.ts";

const MINUTE = 60_000;
/** Longer than any cache lives of which the host says nothing. */
const PAUSE = 20 * MINUTE;
const TURNS = 6;
/** The files are read again and again, so that the early copies are worth nothing once the cache is cold. */
const FILES = 2;
const usage = { input: 0, output: 1, cacheRead: 9_000, cacheWrite: 0, totalTokens: 9_001, cost: {} };

interface Line {
	readonly type: string;
	readonly id: string;
	readonly timestamp: string;
	readonly message?: { readonly timestamp: number };
}

/** The session as if everything in it had happened so many ms earlier. */
async function readEarlier(file: string, pause = PAUSE): Promise<readonly Line[]> {
	const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
	return lines.map((text) => {
		const line: Line = JSON.parse(text);
		const timestamp = new Date(Date.parse(line.timestamp) - pause).toISOString();
		const { message } = line;
		return {
			...{ ...line, timestamp },
			...(message && { message: { ...message, timestamp: message.timestamp - pause } }),
		};
	});
}

/** The request by which pi kept the cache warm, as it writes it to the session. */
function warming(last: Line | undefined, age: number): unknown {
	const timestamp = new Date(Date.now() - age).toISOString();
	const about = { provider: LOOPBACK_PROVIDER, model: "anthropic", usage };
	return { type: "usage", id: "0000beef", parentId: last?.id, timestamp, kind: "cache_warm", ...about };
}

async function promiseLifetime({ agent }: Trial, seconds: number): Promise<void> {
	const file = join(agent, "models.json");
	const models = await readFile(file, "utf8");
	const told = `"id": "anthropic", "promptCache": {"short": ${seconds}, "long": ${seconds}}`;
	await writeFile(file, models.replace('"id": "anthropic"', told));
}

/** The session file of a session below its budget, which makes no pass while its cache is warm. */
async function playTurns(trial: Trial, environment: { readonly CWL_BUDGET: string }): Promise<string> {
	await writeFilesOfTurns(trial.work, FILES);
	const first = trial.rpc({ environment });
	for (let index = 0; index < TURNS; index += 1) await first.prompt(turn(index % FILES));
	expect((await readState(first)).passes).toEqual([]);
	const file = await first.file();
	await first.kill();
	return file;
}

async function rewrite(file: string, lines: readonly unknown[]): Promise<void> {
	await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

test("the footer says what the next message brings when the provider's cache expires in a pause", async () => {
	const trial = await startTrial({ model: readFileOfTurn, api: "anthropic" });
	const environment = { CWL_BUDGET: "20k" };
	const file = await playTurns(trial, environment);
	// A provider of which the host says nothing keeps its cache for 10 minutes.
	await rewrite(file, await readEarlier(file, 10 * MINUTE - 30_000));
	const pi = trial.resume({ environment });
	await until(() => pi.status().includes("20k"));
	expect(pi.status()).not.toContain("at your next message");
	expect(await pi.answer("/cwl plan")).toContain(", after 10 minutes without a request: ");
	await expect
		.poll(() => pi.status(), { timeout: 90_000, interval: 500 })
		.toMatch(/ · pass at your next message: \S+ less/);
	expect(pi.status()).not.toContain("cached");
	await pi.prompt("go on");
	expect((await readState(pi)).passes).toHaveLength(1);
});

test.runIf(keepsSystemMessages).each([
	{ what: "nothing kept it warm", warmed: undefined, lifetime: undefined, passes: 1 },
	{ what: "pi kept it warm 4 minutes ago", warmed: 4 * MINUTE, lifetime: undefined, passes: 0 },
	{ what: "pi kept it warm 15 minutes ago", warmed: 15 * MINUTE, lifetime: undefined, passes: 1 },
	{ what: "the model's cache lives 40 minutes", warmed: undefined, lifetime: 40 * 60, passes: 0 },
])(
	"after 20 idle minutes in which $what, a session below its budget makes $passes passes",
	async ({ warmed, lifetime, passes }) => {
		const trial = await startTrial({ model: readFileOfTurn, api: "anthropic" });
		if (lifetime !== undefined) await promiseLifetime(trial, lifetime);
		const environment = { CWL_BUDGET: "20k" };
		const file = await playTurns(trial, environment);
		const earlier = await readEarlier(file);
		const lines = warmed === undefined ? earlier : [...earlier, warming(earlier.at(-1), warmed)];
		await rewrite(file, lines);
		const resumed = trial.resume({ environment });
		await resumed.prompt("go on");
		expect((await readState(resumed)).passes).toHaveLength(passes);
	},
);
