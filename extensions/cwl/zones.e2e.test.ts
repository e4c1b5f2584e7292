import { expect, test } from "vitest";
import type { ModelReply } from "#loopback";
import { readHeard, writeBigFile, writeListener } from "./test-support/listener.ts";
import { readState, textOf } from "./test-support/state.ts";
import { startTrial, type Trial } from "./test-support/trial.ts";

const EVENTS = ["cwl:zone", "cwl:spike", "cwl:turn", "cwl:pass", "cwl:alert"];

/** One read of 100 lines in a turn, then words. */
function reader(): () => ModelReply {
	let calls = 0;
	return () => {
		calls += 1;
		if (calls % 2 === 0) return { text: "done" };
		return { calls: [{ name: "read", arguments: { path: "big.txt", offset: calls, limit: 100 } }] };
	};
}

async function startReading(
	settings: Readonly<Record<string, unknown>>,
	prompts: number,
	contextWindow = 200_000,
) {
	const trial: Trial = await startTrial({ model: reader(), settings: { cwl: settings }, contextWindow });
	await writeBigFile(trial);
	const extension = await writeListener(trial, EVENTS);
	const pi = trial.rpc({ args: ["-e", extension] });
	for (let at = 0; at < prompts; at++) await pi.prompt(`read part ${at}`);
	const heard = await readHeard(pi);
	const of = (name: string) => heard.filter((event) => event.name === name).map(({ data }) => data);
	return { trial, pi, of };
}

test("each zone that the context enters is an event, and by default nothing else happens", async () => {
	const { trial, pi, of } = await startReading({ budget: "12k" }, 14);
	const zones = of("cwl:zone");
	expect(zones.slice(0, 3).map(({ from, to }) => [from, to])).toEqual([
		["green", "yellow"],
		["yellow", "orange"],
		["orange", "red"],
	]);
	for (const zone of zones)
		expect(zone).toMatchObject({ version: 1, action: "nothing", used: expect.any(Number) });
	expect(of("cwl:turn").length).toBeGreaterThan(14);
	expect(of("cwl:turn").at(-1)).toMatchObject({ inSight: expect.any(Number), bloat: expect.any(Number) });
	expect(trial.bodies().at(-1)).not.toContain("zone: end the episode");
	const { passes, budget } = await readState(pi);
	for (const { before } of passes) expect(before).toBeGreaterThan(budget);
});

test("a zone set to pass makes a pass below the budget; one set to nudge tells the model once", async () => {
	const { trial, pi, of } = await startReading(
		{ budget: "12k", lowWater: 0.4, zones: { yellow: "nudge", orange: "pass" } },
		14,
	);
	const { passes, budget } = await readState(pi);
	expect(passes.length).toBeGreaterThan(0);
	const episode = passes[0]?.strips[0]?.episode ?? "none";
	expect(textOf(await pi.command(`/cwl why ${episode}`))).toContain(
		"as the context entered a zone that asks for it",
	);
	for (const { before, after, policy } of passes) {
		expect(before).toBeLessThanOrEqual(budget);
		expect(before).toBeGreaterThan(0.7 * budget);
		expect(after).toBeLessThan(0.55 * budget);
		expect(policy).toBe("cwl");
	}
	expect(of("cwl:pass")).toHaveLength(passes.length);
	const nudged = trial
		.bodies()
		.filter((body) => body.includes("the context is in the yellow zone: end the episode"));
	expect(nudged.length).toBeGreaterThan(0);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});

test("tool results over 30 % of the context for three turns are an alert with culprit and remedy that interrupts nobody, and health shows the trend", async () => {
	const { pi, of } = await startReading({ budget: "40k" }, 6);
	expect(textOf(pi.notices())).not.toContain("tool results take");
	expect(of("cwl:alert")).toContainEqual(
		expect.objectContaining({
			id: "tool-bloat",
			grade: "notice",
			text: expect.stringMatching(
				/^tool results take \d+ % of the context, .* most of it is "read .*big\.txt"/,
			),
			remedy: expect.stringContaining("an offset and a limit"),
		}),
	);
	const shown = textOf(await pi.command("/cwl health"));
	expect(shown).toMatch(/notice: tool results take \d+ % of the context/);
	expect(shown).toMatch(/trend +rising +over 10 turns: window \+\d+ %, evicted a turn/);
	const { health } = await readState(pi);
	expect(health.lastTurn?.bloat).toBeGreaterThan(0.3);
	expect(health.trend).toMatchObject({ turns: 10, direction: "rising" });
});

test("zones by-window are tighter in a small window", async () => {
	const { of } = await startReading({ budget: "9k", zones: "by-window" }, 9, 30_000);
	const [first] = of("cwl:zone");
	expect(first).toMatchObject({ from: "green" });
	const levels = of("cwl:zone").filter(({ to }) => to === "red");
	for (const { level } of levels) expect(level).toBeGreaterThan(0.8);
	expect(levels.length).toBeGreaterThan(0);
	expect(Math.min(...levels.map(({ level }) => level))).toBeLessThan(0.9);
});

test("a zone action that does not exist is named, with what is allowed, and the session goes on", async () => {
	const { pi } = await startReading({ zones: { red: "panic" } }, 1);
	expect(textOf(pi.notices())).toMatch(
		/settings\.json: cwl\.zones: zones is \{"red":"panic"\}: use .* an action \(nothing, nudge, fade, pass\) for any of yellow, orange, red/,
	);
});
