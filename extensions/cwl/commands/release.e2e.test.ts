import { expect, test } from "vitest";
import { readState, textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";

const pasted = (name: string) =>
	`Look at this ${name} log.\n${`${name} line of a log\n`.repeat(400)}What is wrong?`;

test("/cwl release cuts old pasted bulk to head and tail, all of it or what holds the words, and undo brings it back", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const pi = trial.rpc();
	const sent = () =>
		(trial.requests.at(-1)?.messages ?? []).filter(({ type }) => type === "user").map(({ text }) => text);
	expect(textOf(await pi.command("/cwl release"))).toMatch(/^cwl: nothing to release: /);
	for (const prompt of [pasted("red"), pasted("green"), "go on", "go on"]) await pi.prompt(prompt);
	expect(sent()).toContain(pasted("red"));
	expect(await pi.command("/cwl release purple")).toEqual([
		{ kind: "error", text: expect.stringContaining("no long old message of yours holds these words") },
	]);

	expect(textOf(await pi.command("/cwl release green line"))).toMatch(
		/^cwl: 1 old message of yours keeps its head and tail from the next request on, [\d.]+k tokens less; /,
	);
	await pi.prompt("go on");
	const [red, green] = [
		sent().find((text) => text.startsWith("Look at this red")),
		sent().find((text) => text.startsWith("Look at this green")),
	];
	expect(red).toBe(pasted("red"));
	expect(green?.length).toBeLessThan(2_500);
	expect(green).toMatch(/^Look at this green log\.\n[\s\S]*left out on request[\s\S]*What is wrong\?$/);

	expect(textOf(await pi.command("/cwl release"))).toMatch(/^cwl: 1 old message of yours/);
	expect((await readState(pi)).passes).toHaveLength(2);
	await pi.command("/cwl undo");
	await pi.command("/cwl undo");
	await pi.prompt("go on");
	expect(sent()).toEqual(expect.arrayContaining([pasted("red"), pasted("green")]));
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});
