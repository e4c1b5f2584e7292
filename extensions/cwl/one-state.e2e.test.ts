import { expect, test, vi } from "vitest";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { readState } from "./test-support/state.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const environment = { CWL_BUDGET: "40k", CWL_POLICY: "paper-adapted" };

/** The size that the footer shows, such as `23k`. */
const footerSize = (pi: RpcSession) => /([\d.]+[kM]?)\/40k/.exec(pi.status() ?? "")?.[1];
/** The size that a page of text shows. */
const statedSize = async (pi: RpcSession) =>
	/^([\d.]+[kM]?) of 40k tokens/m.exec((await pi.command("/cwl"))[0]?.text ?? "")?.[1];

test("footer, /cwl and /cwl report --json show the next request's size at once: after an eviction, an undo and a resume", async () => {
	const trial = await startWorkTrial(3, 3);
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const sizes: number[] = [];
	const planned = (await readState(pi)).nextPass.strips[0]?.episode;
	for (const command of ["/cwl settings", `/cwl evict ${planned}`, "/cwl undo"]) {
		await pi.command(command);
		const shown = footerSize(pi);
		expect([command, shown]).toEqual([command, await statedSize(pi)]);
		sizes.push((await readState(pi)).pressure.used);
		expect(footerSize(pi)).toBe(shown);
	}
	const [before = 0, evicted = 0, undone = 0] = sizes;
	expect(evicted).toBeLessThan(before);
	expect(undone).toBeGreaterThan(evicted);
	expect(undone).toBeLessThanOrEqual(before);
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment });
	await resumed.file();
	const shown = await vi.waitFor(() => {
		const size = footerSize(resumed);
		expect(size).toBeDefined();
		return size;
	}, 60_000);
	expect(shown).toBe(await statedSize(resumed));
});

test.each([
	["24k", 24_000],
	["auto", 160_000],
])("footer, /cwl, panel, health, plan, settings and report name one budget: %s", async (setting, tokens) => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment: { CWL_BUDGET: setting } });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const said = async (command: string) => (await pi.command(command))[0]?.text ?? "";
	const shown = `${tokens / 1000}k`;
	const state = await readState(pi);
	expect(state.pressure.budget).toBe(tokens);
	const [, footer, percent] = /\/(\d+k) (\d+)%/.exec(pi.status()) ?? [];
	expect(footer).toBe(shown);
	expect(await said("/cwl")).toMatch(new RegExp(`^[\\d.]+k of ${shown} tokens`, "m"));
	const health = await said("/cwl health");
	expect(/utilisation +(\d+) %/.exec(health)?.[1]).toBe(percent);
	expect(state.budgetReason).toContain(shown);
	for (const page of [health, await said("/cwl plan"), await said("/cwl settings")]) {
		expect(page).toContain(`budget ${state.budgetReason}`);
	}
	const file = await pi.file();
	await pi.kill();
	const { stdout } = await trial.run(["report", file, "--json"]);
	// A pass keeps the budget as we count it; there and back again, rounding may move it by a token each way.
	expect(Math.abs(JSON.parse(stdout).budget - tokens)).toBeLessThanOrEqual(2);
});
