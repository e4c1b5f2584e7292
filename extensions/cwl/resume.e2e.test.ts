import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type ModelRequest, scripted } from "#testing";
import type { PiEvent } from "#testing/pi-driver";
import type { Fault } from "#testing/server";
import { call, start } from "./test-support/following.ts";
import { takeSnapshot } from "./test-support/snapshot.ts";
import { readState } from "./test-support/state.ts";
import { PROJECT, startTrial, until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const environment = { CWL_BUDGET: "24k" };

/** Requests wait for git: on a busy machine its status would come one request later in one of two sessions. */
const patient = {
	...environment,
	NODE_OPTIONS: `--import ${pathToFileURL(join(PROJECT, "extensions", "cwl", "test-support", "patient-git.mjs"))}`,
};

/** Requests with their call ids, which the server makes anew each time, numbered in order of appearance. */
function nameless(requests: readonly ModelRequest[]): readonly string[] {
	const names = new Map<string, string>();
	const rename = (id: string) => {
		if (!names.has(id)) names.set(id, `call ${names.size}`);
		return names.get(id);
	};
	return requests.map((request) =>
		JSON.stringify(request, (key, value) => (key === "id" || key === "callId" ? rename(value) : value)),
	);
}

/** A body without the marks of what to cache. */
function unmarked(body = ""): string {
	return body.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
}

test("killed between two tasks and resumed, a session sends what it would have sent, and keeps its trends", async () => {
	const trial = await startWorkTrial(1, 6, { api: "anthropic" });
	const [before, last = ""] = [trial.prompts.slice(0, -1), trial.prompts.at(-1)];
	const living = trial.rpc({ environment: patient });
	await living.promptAll(before);
	expect(living.status()).toMatch(/^cwl .*pass #\d+: [\d.]+k? less/);
	const { health } = await readState(living);
	const snapshot = await takeSnapshot(trial.directory, [trial.agent, trial.work]);
	const start = trial.requests.length;
	await living.prompt(last);
	await living.kill();
	const end = trial.requests.length;

	// The last task once more, by a process that resumes the session before it.
	await snapshot.restore();
	const resumed = trial.resume({ environment: patient });
	const recalled = (await readState(resumed)).health;
	await resumed.prompt(last);
	const sizes = resumed.statuses().filter((line) => /^cwl ~?\d/.test(line));
	expect(sizes.slice(0, 2).join()).not.toContain(" > ");
	// The living process estimates the size of a request before the provider reports it, and measures what is in sight beside
	// the run, so that it may see the next request already.
	const near = (
		metrics: { readonly utilization: number; readonly bloat: number; readonly burnRate?: number } | null,
	) => ({
		...metrics,
		...(metrics?.burnRate !== undefined && { burnRate: expect.closeTo(metrics.burnRate, -1) }),
		utilization: expect.closeTo(metrics?.utilization ?? 0, 2),
		bloat: expect.closeTo(metrics?.bloat ?? 0, 1),
	});
	expect(recalled.trend).toEqual(near(health.trend));
	expect(recalled.lastTurn).toEqual({ ...near(health.lastTurn), inSight: expect.any(Number) });
	// A pass is due in it, and a process that has just begun cannot know what of the rest was cached.
	const bodies = trial.bodies();
	expect(unmarked(bodies[end])).toBe(unmarked(bodies[start]));
	expect(nameless(trial.requests.slice(end))).toEqual(nameless(trial.requests.slice(start, end)));
});

test("killed while the answer to a pass streams, a session keeps what the pass decided", async () => {
	let stalled = -1;
	const fault = (index: number): Fault | undefined => (index === stalled ? { type: "stall" } : undefined);
	const trial = await startWorkTrial(1, 5, { api: "responses", fault });
	const fresh = await takeSnapshot(trial.directory, [trial.agent, trial.work]);
	const rehearsal = trial.rpc({ environment });
	await rehearsal.promptAll(trial.prompts);
	await rehearsal.kill();
	await fresh.restore();

	const pass = trial.loopback.records().findIndex(({ extendsPrevious }) => !extendsPrevious);
	expect(pass).toBeGreaterThan(0);
	stalled = trial.requests.length + pass;
	const pi = trial.rpc({ environment });
	const isStalled = () => trial.requests.length > stalled;
	for (const prompt of trial.prompts) {
		if (!isStalled()) await Promise.race([pi.prompt(prompt), until(isStalled)]);
	}
	await pi.kill();

	const resumed = trial.resume({ environment: { CWL_BUDGET: "40k" } });
	await resumed.prompt("Thank you.");
	const next = trial.loopback.records()[stalled + 1];
	expect(next).toMatchObject({ extendsPrevious: true });
	expect(await resumed.answer("/cwl")).toMatch(/^\d pass(?:es)?\n {2}#1 +[\d.]+k → [\d.]+k /m);
});

test("stopped or killed while tools run, a session sends a request that a strict server accepts, and the episode can start again", async () => {
	const begin = start("wait", "expl");
	// Ends by itself when pi is gone.
	const sleep = call("bash", { command: "while kill -0 $PPID; do sleep 0.1; done" });
	const trial = await startTrial({
		model: scripted([
			{ thinking: "I wait.", calls: [sleep] },
			{ thinking: "I wait again.", calls: [begin, sleep] },
			{ calls: [begin] },
			{ text: "awake" },
		]),
		api: "anthropic",
	});
	const pi = trial.rpc();
	const fallAsleep = async (times: number) => {
		await pi.send({ type: "prompt", message: "wait" });
		const isSleep = ({ type, toolName }: PiEvent) => type === "tool_execution_start" && toolName === "bash";
		await until(() => pi.events.filter(isSleep).length === times);
	};
	await fallAsleep(1);
	await pi.send({ type: "abort" });
	await fallAsleep(2);
	expect(pi.said("error")).toEqual([]);
	await pi.kill();

	const resumed = trial.resume();
	await resumed.prompt("go on");
	expect(trial.requests).toHaveLength(4);
	expect(trial.requests.at(-1)?.messages.at(-1)?.text).toBe('started expl "wait"');
	expect(await resumed.answer("/cwl")).toContain("expl wait");
	expect(resumed.notices().filter(({ kind }) => kind === "error")).toEqual([]);
});

test("a session whose last line was cut short keeps all that came before, and all that comes after", async () => {
	const trial = await startWorkTrial(1, 2);
	const pi = trial.rpc();
	const [first = "", second = ""] = trial.prompts;
	await pi.prompt(first);
	const file = await pi.file();
	await pi.kill();
	const whole = await readFile(file, "utf8");
	const last = whole.trimEnd().lastIndexOf("\n") + 1;
	const cut = whole.slice(0, last + 40);
	await writeFile(file, cut);

	const resumed = trial.resume();
	await resumed.prompt(second);
	await resumed.kill();
	const after = await readFile(file, "utf8");
	expect(after.startsWith(`${cut}\n{`)).toBe(true);
	const lines = after.trimEnd().split("\n");
	const torn = cut.slice(last);
	expect(lines.filter((line) => line === torn)).toHaveLength(1);
	const count = trial.requests.length;
	const again = trial.resume();
	await again.prompt("Thank you.");
	const said = trial.requests[count]?.messages.map(({ text }) => text);
	expect(said).toContain(first);
	expect(said).toContain(second);
});
