import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { briefPath } from "#pi/brief";
import { read } from "./test-support/following.ts";
import { readHeard, readsOnce, writeBigFile, writeListener } from "./test-support/listener.ts";
import { readData } from "./test-support/session-entries.ts";
import { readState } from "./test-support/state.ts";
import { startTrial, type Trial, type TrialOptions, until } from "./test-support/trial.ts";

async function startReading(settings: Readonly<Record<string, unknown>>, prompts: number) {
	const trial: Trial = await startTrial({ model: readsOnce(), settings: { cwl: settings } });
	await writeBigFile(trial);
	const listener = await writeListener(trial, ["cwl:zone", "cwl:turn"]);
	const pi = trial.rpc({ args: ["-e", listener] });
	for (let at = 0; at < prompts; at++) await pi.prompt(`read part ${at}`);
	const heard = await readHeard(pi);
	const of = (name: string) => heard.filter((event) => event.name === name).map(({ data }) => data);
	return { trial, pi, of };
}

test("each zone that the context enters is an event; red saves the brief, with its state as JSON, and by default nothing else happens", async () => {
	const { trial, pi, of } = await startReading({ budget: "12k", policy: "fifo" }, 14);
	const zones = of("cwl:zone");
	expect(zones.slice(0, 3).map(({ from, to }) => [from, to])).toEqual([
		["green", "yellow"],
		["yellow", "orange"],
		["orange", "red"],
	]);
	const file = await pi.file();
	await until(() => existsSync(briefPath(file)));
	expect(await readFile(briefPath(file), "utf8")).toContain('"read part 0"');
	for (const zone of zones)
		expect(zone).toMatchObject({ version: 1, action: "nothing", used: expect.any(Number) });
	expect(of("cwl:turn").length).toBeGreaterThan(14);
	expect(of("cwl:turn").at(-1)).toMatchObject({ inSight: expect.any(Number), bloat: expect.any(Number) });
	expect(trial.bodies().at(-1)).not.toContain("zone: end the episode");
	const crossed = await readData(file, "cwl.zone");
	expect(crossed.map(({ from, to }) => [from, to])).toEqual(zones.map(({ from, to }) => [from, to]));
	expect(await readData(file, "cwl.brief")).toContainEqual({ reason: "red zone" });
	const { passes, pressure } = await readState(pi);
	const { budget } = pressure;
	const early = passes.filter(({ before }) => before <= budget).map(({ decision }) => decision?.reason);
	expect(early.filter((reason) => reason !== "next work begins" && reason !== "turn begins")).toEqual([]);
});

test("a zone set to pass makes a pass below the budget; one set to nudge tells the model once", async () => {
	const { trial, pi } = await startReading(
		{ budget: "12k", policy: "fifo", lowWater: 0.4, zones: "yellow=nudge,orange=pass" },
		14,
	);
	const { passes, pressure } = await readState(pi);
	const { budget } = pressure;
	expect(passes.length).toBeGreaterThan(0);
	const episode = passes[0]?.strips[0]?.episode ?? "none";
	expect(await pi.answer(`/cwl why ${episode}`)).toContain("as the pressure of the context asked for it");
	for (const { before, after, policy } of passes) {
		expect(before).toBeLessThanOrEqual(budget);
		expect(before).toBeGreaterThan(0.7 * budget);
		expect(after).toBeLessThan(0.55 * budget);
		expect(policy).toBe("fifo");
	}
	const nudged = trial
		.bodies()
		.filter((body) => body.includes("the context is in the yellow zone: end the episode"));
	expect(nudged.length).toBeGreaterThan(0);
});

/** Reads these lines of numbers.txt in one turn, one call a request: each line has about as many tokens as numbers. */
function readsLines(parts: readonly (readonly [offset: number, limit: number])[]) {
	let at = -1;
	return () => {
		at += 1;
		const [offset, limit] = parts[at] ?? [];
		if (offset === undefined) return { text: "done" };
		return { calls: [read("numbers.txt", { offset, limit })] };
	};
}

async function startNumbers(parts: readonly (readonly [number, number])[], options: Partial<TrialOptions>) {
	const trial = await startTrial({ model: readsLines(parts), ...options });
	const lines = Array.from({ length: 1_000 }, (_, at) =>
		Array.from({ length: 100 }, (_, n) => (at * 7 + n) % 10),
	);
	await writeFile(join(trial.work, "numbers.txt"), lines.map((line) => line.join(" ")).join("\n"));
	const pi = trial.rpc();
	await pi.prompt("add them up");
	return { trial, pi };
}

test("by default a spike that would soon pass the mark makes the pass that pays before it; spike=nothing waits", async () => {
	const small = Array.from({ length: 36 }, (_, at) => [at + 1, 1] as const);
	const run = async (settings: Readonly<Record<string, unknown>>) => {
		const options = { contextWindow: 44_000, settings: { cwl: settings } };
		const { pi } = await startNumbers([...small, [100, 36], [200, 1]], options);
		expect(await readFile(await pi.file(), "utf8")).toMatch(
			/"customType":"cwl.spike","data":{"velocity":\d+,/,
		);
		return (await readState(pi)).passes;
	};
	const [usual, waits] = await Promise.all([run({}), run({ zones: "spike=nothing" })]);
	expect(usual).toMatchObject([{ policy: "cwl", decision: { reason: "pays for itself" } }]);
	expect(waits).toEqual([]);
});

test("a critical alert acts: it saves the brief, and over nine tenths of the window the pass that pays is made", async () => {
	const small = (from: number) => Array.from({ length: 36 }, (_, at) => [from + at, 1] as const);
	const large = [
		[100, 245],
		[350, 245],
		[600, 245],
		[850, 86],
	] as const;
	const settings = { budget: "183k", lowWater: "economy", zones: "0.97,0.98,0.99,spike=nothing" };
	const { pi } = await startNumbers([...small(1), ...large, ...small(40)], { settings: { cwl: settings } });
	const { passes, pressure } = await readState(pi);
	const { budget } = pressure;
	expect(passes).toMatchObject([{ decision: { reason: "pays for itself" } }]);
	expect(passes[0]?.before).toBeLessThan(budget);
	const file = briefPath(await pi.file());
	await until(() => existsSync(file));
});
