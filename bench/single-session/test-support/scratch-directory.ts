/** Scratch repositories in the system's temporary folder, removed after each test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { TaskList } from "../tasks/make-tasks.ts";
import { prepareScratch, type ScratchOptions } from "../tasks/scratch.ts";

const made: string[] = [];

afterEach(async () => {
	await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
});

export async function makeScratch(
	options: ScratchOptions,
): Promise<TaskList & { readonly directory: string }> {
	const directory = await mkdtemp(join(tmpdir(), "single-session-"));
	made.push(directory);
	return { directory, ...(await prepareScratch(directory, options)) };
}
