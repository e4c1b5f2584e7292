/** The scratch repository of the tasks, and the changes in it since the last commit. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Files } from "./landmarks.ts";

const run = promisify(execFile);
const COMMIT_DATE = "2024-01-01T00:00:00Z";
const MAX_OUTPUT = 64 * 1024 * 1024;

export async function writeFiles(directory: string, files: Files): Promise<void> {
	for (const folder of new Set([...files.keys()].map((path) => dirname(join(directory, path))))) {
		await mkdir(folder, { recursive: true });
	}
	await Promise.all([...files].map(([path, text]) => writeFile(join(directory, path), text)));
}

/** Makes a repository with the files of the directory as its first commit. */
export async function initialise(directory: string): Promise<void> {
	await git(directory, "init", "--quiet", "--initial-branch=main", "--template=");
	await git(directory, "config", "user.name", "Scratch");
	await git(directory, "config", "user.email", "scratch@example.invalid");
	await git(directory, "config", "commit.gpgsign", "false");
	await git(directory, "config", "gc.auto", "0");
	await commit(directory, "The packages as they stand");
}

/** Commits everything, if anything changed. */
export async function commit(directory: string, message: string): Promise<void> {
	await git(directory, "add", "--all");
	await git(directory, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", message);
}

/** Discards uncommitted changes. */
export async function restore(directory: string): Promise<void> {
	await git(directory, "reset", "--quiet", "--hard");
	await git(directory, "clean", "--quiet", "--force", "-d");
}

export interface Change {
	/** Undefined if the file did not exist. */
	readonly before: string | undefined;
	readonly after: string | undefined;
}

/** Every file that differs from the last commit, by path. */
export async function listChanges(directory: string): Promise<ReadonlyMap<string, Change>> {
	const status = await git(directory, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all");
	const paths = status.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.slice(3)]));
	const changes = await Promise.all(
		paths.map(async (path): Promise<readonly [string, Change]> => {
			const before = await git(directory, "show", `HEAD:${path}`).catch(() => undefined);
			const after = await readFile(join(directory, path), "utf8").catch(() => undefined);
			return [path, { before, after }];
		}),
	);
	return new Map(changes);
}

/** Ignores the machine's own git settings: a global hook or signing key would change the history. */
async function git(directory: string, ...args: readonly string[]): Promise<string> {
	const env = {
		...process.env,
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_CONFIG_SYSTEM: "/dev/null",
		GIT_AUTHOR_DATE: COMMIT_DATE,
		GIT_COMMITTER_DATE: COMMIT_DATE,
	};
	const options = { cwd: directory, env, maxBuffer: MAX_OUTPUT };
	return (await run("git", ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", ...args], options))
		.stdout;
}
