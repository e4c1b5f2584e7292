import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, vi } from "vitest";
import { initRepository, type TreeFiles, writeTree } from "./tree-writer.ts";

export { commitAll, git, writeTree } from "./tree-writer.ts";

/** A new directory outside of any repository, empty but for these files, removed when the test ends. */
export function createScratch(files: TreeFiles = {}): string {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
	writeTree(directory, files);
	return directory;
}

/** A folder for the tests of one file, removed after them. */
export function scratchFolder(): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "cwl-test-")));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

export function createRepository(files: TreeFiles = {}): string {
	const root = createScratch();
	initRepository(root, files);
	return root;
}

/** Sets a variable of the environment until the test ends. */
export function setVariable(name: string, value: string): void {
	vi.stubEnv(name, value);
	onTestFinished(() => void vi.unstubAllEnvs());
}
