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
