import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as host from "@mariozechner/pi-coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { findSession } from "./session-finder.ts";

test("a file of this folder is a session whatever its name, and a missing one is named as a file", async () => {
	const folder = createScratch();
	const before = process.cwd();
	onTestFinished(() => process.chdir(before));
	process.chdir(folder);
	for (const name of ["run.traj", "chat.json", "rollout"]) {
		await writeFile(name, "{}");
		expect(await findSession(name, host)).toBe(join(folder, name));
	}
	await expect(findSession("gone.traj", host)).rejects.toThrow("there is no session file gone.traj.");
});
