/** Scratch repositories in the system's temporary folder, removed after each test. */

import { createScratch } from "../../../workspace/test-support/scratch.ts";
import { createScratchRepository } from "../repository.ts";
import type { SourceFile } from "../storefront.ts";

export async function makeScratchRepository(seed: number, extra?: readonly SourceFile[]): Promise<string> {
	const directory = createScratch();
	await createScratchRepository(directory, seed, extra);
	return directory;
}
