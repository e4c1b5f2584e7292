/** The scratch git repository of a seed, in which the tasks are done. */

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describeRepository, renderRepository, type SourceFile } from "./storefront.ts";

const run = promisify(execFile);
/** Bytes of output. */
const MAX_OUTPUT = 2 ** 28;
const COMMIT_DATE = "2024-01-01T00:00:00Z";

/**
 * Fills `directory`, which is created if missing, with the repository of `seed` and commits it. The same seed gives
 * the same files and the same commit; `extra` files are added. Rejects if git is missing or the disk refuses a write.
 */
export async function createScratchRepository(
	directory: string,
	seed: number,
	extra: readonly SourceFile[] = [],
): Promise<void> {
	await mkdir(directory, { recursive: true });
	for (const file of [...renderRepository(describeRepository(seed)), ...extra])
		await writeSource(directory, file);
	await git(directory, "init", "--quiet", "--initial-branch=main", "--template=");
	await configure(directory);
	await commitAll(directory, "Storefront as it stands");
}

/** Writes a file of a repository. */
export async function writeSource(directory: string, { path, text }: SourceFile): Promise<void> {
	const whole = join(directory, path);
	await mkdir(dirname(whole), { recursive: true });
	await writeFile(whole, text);
}

/** Gives a repository a committer, and takes from it what could change a commit. */
export async function configure(directory: string): Promise<void> {
	await git(directory, "config", "user.name", "Scratch");
	await git(directory, "config", "user.email", "scratch@example.invalid");
	await git(directory, "config", "commit.gpgsign", "false");
	await git(directory, "config", "gc.auto", "0");
}

/** Commits everything, or an empty commit if nothing changed. */
export async function commitAll(directory: string, message: string): Promise<void> {
	await git(directory, "add", "--all");
	await git(directory, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", message);
}

/** Discards everything since the last commit. */
export async function discardChanges(directory: string): Promise<void> {
	await git(directory, "reset", "--quiet", "--hard");
	await git(directory, "clean", "--quiet", "--force", "-d");
}

/** The paths of all files that differ from the last commit. */
export async function listChangedFiles(directory: string): Promise<readonly string[]> {
	const status = await git(directory, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all");
	return status.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
}

/**
 * The output of git. Ignores the machine's own git settings: a global hook or signing key would change the commit. A git that started us, as
 * for a hook, names its own repository in `GIT_DIR`, and everything here would be done in that one.
 */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
	const { GIT_DIR: _, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...machine } = process.env;
	const env = {
		...machine,
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_CONFIG_SYSTEM: "/dev/null",
		GIT_AUTHOR_DATE: COMMIT_DATE,
		GIT_COMMITTER_DATE: COMMIT_DATE,
	};
	const safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "core.quotePath=false"];
	return (await run("git", [...safe, ...args], { cwd: directory, env, maxBuffer: MAX_OUTPUT })).stdout;
}
