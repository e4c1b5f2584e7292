import { expect, test } from "vitest";
import { following, read } from "./test-support/following.ts";
import { writeBigFile } from "./test-support/listener.ts";
import { readState, textOf } from "./test-support/state.ts";
import { startTrial } from "./test-support/trial.ts";

test("an alert is told once in a session, with its remedy, and stays open; a resumed session knows it", async () => {
	const trial = await startTrial({
		model: following((prompt) => (prompt === "go" ? [{ calls: [read("big.txt")] }] : undefined)),
	});
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
