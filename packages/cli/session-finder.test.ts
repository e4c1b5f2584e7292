import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as host from "@mariozechner/pi-coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { findSession } from "./session-finder.ts";

test("a file of this folder is a session whatever its name, and a missing one is named as a file", async () => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "cwl-finder-")));
	const before = process.cwd();
	onTestFinished(async () => {
		process.chdir(before);
		await rm(folder, { recursive: true });
	});
	process.chdir(folder);
	for (const name of ["run.traj", "chat.json", "rollout"]) {
		await writeFile(name, "{}");
		expect(await findSession(name, host)).toBe(join(folder, name));
	}
	await expect(findSession("gone.traj", host)).rejects.toThrow("there is no session file gone.traj.");
});
