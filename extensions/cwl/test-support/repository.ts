/** Small git repositories, untouched by the settings of whoever runs the tests. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"];

/** Make a folder a repository with one commit of these files. */
export async function startRepository(
	folder: string,
	files: Readonly<Record<string, string>>,
): Promise<void> {
	await git(folder, "init", "--quiet", "--initial-branch=main", "--template=");
	for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
	await git(folder, "add", "--all");
	await git(folder, "commit", "--quiet", "--message=start");
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	await run("git", [...identity, ...args], { cwd, env });
}
