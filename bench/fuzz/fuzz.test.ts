import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Script } from "./any-script.ts";
import { runCampaign } from "./command.ts";
import { runScript } from "./session-run.ts";

test("random sessions keep the rules, after each operation and when they are rebuilt from their file", async () => {
	const { sessions, passes, failures } = await runCampaign(
		{ runs: 100, seed: 20_261_121, from: 0 },
		new AbortController().signal,
	);
	expect(failures).toEqual([]);
	expect(sessions).toBe(100);
	expect(passes).toBeGreaterThan(0);
});

/** Small scripts that once broke a rule, as campaigns printed them. */
const found: readonly { readonly name: string; readonly script: Script }[] = JSON.parse(
	readFileSync(join(import.meta.dirname, "found.json"), "utf8"),
);

test.each(found)("$name keeps the rules", ({ script }) => {
	expect(runScript(script).operations).toBe(script.operations.length);
});
