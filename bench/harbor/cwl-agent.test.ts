import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { policyNames } from "#pi/session";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("the parts of the adapter that need no Harbor keep what they promise", () => {
	const program = join(import.meta.dirname, "test-support", "cwl_agent_test.py");
	const { status, stderr } = spawnSync("python3", ["-B", program], { encoding: "utf8" });
	expect([status, stderr]).toEqual([0, expect.stringMatching(/Ran \d+ tests[\s\S]*OK/)]);
});

test("the adapter takes every policy of the extension", async () => {
	const source = await readFile(join(import.meta.dirname, "cwl_agent.py"), "utf8");
	const [, names = ""] = /^POLICIES = \((.*)\)$/m.exec(source) ?? [];
	expect(JSON.parse(`[${names}]`)).toEqual(policyNames());
});
