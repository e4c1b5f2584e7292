/** A short real history: that of `packages/core/prices` in this project, as `git fast-export` wrote it on 2026-11-23. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch } from "../../../packages/workspace/test-support/scratch.ts";

/** A bare repository of five commits, of which the last four can be made again. */
export async function createSample(): Promise<string> {
	const folder = createScratch();
	const run = (args: readonly string[], input?: Buffer) =>
		execFileSync("git", args, { cwd: folder, ...(input && { input }), stdio: ["pipe", "pipe", "ignore"] });
	run(["init", "--quiet", "--bare", "--initial-branch=main", "--template="]);
	run(["fast-import", "--quiet"], readFileSync(join(import.meta.dirname, "prices.fast-export")));
	return folder;
}
