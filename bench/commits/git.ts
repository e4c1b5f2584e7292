/** Git on a repository that is only read, and on the work tree of a run. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CwlError } from "#pi";

const MAX_OUTPUT = 2 ** 28;

/** The output of git. @throws CwlError `bad-repository` with what git says */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
	// A git that started us, as for a hook, names its own repository.
	const { GIT_DIR: _, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...machine } = process.env;
	const env = { ...machine, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
	const safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "core.quotePath=false"];
	try {
		const done = await promisify(execFile)("git", [...safe, ...args], {
			cwd: directory,
			env,
			maxBuffer: MAX_OUTPUT,
		});
		return done.stdout;
	} catch (error) {
		const said = error instanceof Error ? error.message : String(error);
		throw new CwlError("bad-repository", `${directory}: git ${args[0] ?? ""} failed: ${said.slice(0, 300)}`);
	}
}

/** A work tree of its own at this commit. It shares the objects of the repository, which is not changed. */
export async function checkOut(repository: string, commit: string, directory: string): Promise<void> {
	await git(
		repository,
		"clone",
		"--quiet",
		"--shared",
		"--no-checkout",
		"--template=",
		repository,
		directory,
	);
	for (const [name, value] of SETTINGS) await git(directory, "config", name, value);
	await git(directory, "checkout", "--quiet", "--detach", commit);
}

const SETTINGS = [
	["user.name", "Scratch"],
	["user.email", "scratch@example.invalid"],
	["commit.gpgsign", "false"],
	["gc.auto", "0"],
] as const;
