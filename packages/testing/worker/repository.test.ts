import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { git } from "./repository.ts";
import { makeScratchRepository } from "./test-support/scratch-directory.ts";

describe("createScratchRepository", () => {
	it("makes the same commit for the same seed, and another one for another seed", async () => {
		const directories = await Promise.all([5, 5, 6].map((seed) => makeScratchRepository(seed)));
		const [first, again, other] = await Promise.all(
			directories.map((directory) => git(directory, "rev-parse", "HEAD")),
		);
		expect(again).toBe(first);
		expect(other).not.toBe(first);
	});

	it("leaves the repository alone that a git around it names", async () => {
		vi.stubEnv("GIT_DIR", "/nowhere/.git");
		onTestFinished(() => void vi.unstubAllEnvs());
		const directory = await makeScratchRepository(7);
		expect((await stat(join(directory, ".git"))).isDirectory()).toBe(true);
	});

	it("commits 25 to 40 files and leaves nothing uncommitted but the ignored build folder", async () => {
		const directory = await makeScratchRepository(7);
		const files = (await git(directory, "ls-files")).trim().split("\n");
		expect(files.length).toBeGreaterThanOrEqual(25);
		expect(files.length).toBeLessThanOrEqual(40);
		expect(files.filter((path) => path.startsWith("dist/"))).toEqual([]);
		expect(await git(directory, "status", "--porcelain", "--ignored")).toBe("!! dist/\n");
	});
});
