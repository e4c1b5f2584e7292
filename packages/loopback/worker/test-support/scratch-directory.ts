/** Scratch repositories in the system's temporary folder, removed after each test. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { createScratchRepository } from "../repository.ts";
import type { SourceFile } from "../storefront.ts";

const made: string[] = [];

afterEach(async () => {
	await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
});

export async function makeScratchRepository(seed: number, extra?: readonly SourceFile[]): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), "worker-"));
	made.push(directory);
	await createScratchRepository(directory, seed, extra);
	return directory;
}
