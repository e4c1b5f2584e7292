import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished, vi } from "vitest";

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

export type TreeFiles = Readonly<Record<string, string | Buffer | { readonly link: string }>>;

/** Writes files by path; `{ link }` makes a symbolic link. */
export function writeTree(root: string, files: TreeFiles): void {
	for (const [path, content] of Object.entries(files)) {
		const file = join(root, path);
		mkdirSync(dirname(file), { recursive: true });
		if (typeof content === "string" || Buffer.isBuffer(content)) writeFileSync(file, content);
		else symlinkSync(content.link, file);
	}
}

const IDENTITY = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];

/** Runs git as a user would, without the configuration of the user who runs the test. */
export function git(cwd: string, ...args: readonly string[]): string {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	return execFileSync("git", [...IDENTITY, ...args], {
		cwd,
		env,
		stdio: ["ignore", "pipe", "pipe"],
	}).toString();
}

/** Makes a repository with these files, none of them committed, in an existing or new directory. */
export function initRepository(root: string, files: TreeFiles = {}): void {
	mkdirSync(root, { recursive: true });
	git(root, "init", "--quiet", "--initial-branch=main");
	writeTree(root, files);
}

export function commitAll(root: string): void {
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--allow-empty", "--message=state");
}

/** Makes a repository with one commit of these files. */
export function startRepository(root: string, files: TreeFiles): void {
	initRepository(root, files);
	commitAll(root);
}
