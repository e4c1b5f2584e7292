import { expect, test } from "vitest";
import type { ModelReply } from "#loopback";
import { readHeard, writeBigFile, writeListener } from "./test-support/listener.ts";
import { readState, textOf } from "./test-support/state.ts";
import { startTrial } from "./test-support/trial.ts";

const EVENTS = ["cwl:pass", "cwl:alert", "cwl:recall"];

/** Two calls in a turn, then words. */
function worker(): () => ModelReply {
	let calls = 0;
	return () => {
		calls += 1;
		if (calls % 2 === 0) return { text: "done" };
		return { calls: [{ name: "read", arguments: { path: "big.txt", offset: calls } }] };
	};
}

test("an alert is told once in a session, with its remedy, and stays open; a resumed session knows it", async () => {
	const trial = await startTrial({ model: worker() });
	await writeBigFile(trial);
	const args = ["--cwl-budget", "12k"];
	const pi = trial.rpc({ args });
	for (const prompt of ["go", "go on"]) await pi.prompt(prompt);
	const told = () => pi.notices().filter(({ text }) => text.includes("one result of"));
	expect(told()).toHaveLength(1);
	expect(told()[0]).toEqual({
		kind: "info",
		text: expect.stringMatching(/^cwl: one result of "read .*big\.txt" takes .* What helps: ask for parts/),
	});
	const { alerts, health } = await readState(pi);
	expect(alerts).toContainEqual(
		expect.objectContaining({ grade: "notice", id: expect.stringMatching(/^bulk /) }),
	);
	expect(health.toolResults.largest).toBeGreaterThan(3_000);
	expect(textOf(await pi.command("/cwl health"))).toMatch(/^cwl: health: \d open\n {2}notice: one result of/);
	await pi.kill();

	const again = trial.rpc({ args: ["resume", ...args] });
	await again.prompt("go on");
	expect(again.notices().filter(({ text }) => text.includes(told()[0]?.text ?? "nothing"))).toEqual([]);
});

test("passes, alerts and recalls are events that other extensions hear", async () => {
	const trial = await startTrial({ model: worker() });
	await writeBigFile(trial);
	const extension = await writeListener(trial, EVENTS);
	const pi = trial.rpc({ args: ["--cwl-budget", "12k", "-e", extension] });
	for (const prompt of ["go", "go on", "go on", "go on"]) await pi.prompt(prompt);
	await pi.command("/cwl recall big.txt");
	const heard = await readHeard(pi);
	const passes = heard.filter(({ name }) => name === "cwl:pass");
	expect(passes.length).toBe((await readState(pi)).passes.length);
	expect(passes[0].data).toMatchObject({ version: 1, policy: "cwl", episodes: expect.any(Array) });
	const names = (await readState(pi)).episodes.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(passes[0].data.episodes));
	expect(passes[0].data.after).toBeLessThan(passes[0].data.before);
	expect(heard).toContainEqual({
		name: "cwl:alert",
		data: expect.objectContaining({ version: 1, grade: "notice" }),
	});
	expect(heard.at(-1)).toMatchObject({ name: "cwl:recall", data: { by: "user", page: 1 } });
});
