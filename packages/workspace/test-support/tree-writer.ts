import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeBytes, encodeText } from "../text/byte-text.ts";

export type TreeFiles = Readonly<Record<string, string | Buffer | { readonly link: string }>>;

/** Writes files by path; `{ link }` makes a symbolic link. */
export function writeTree(root: string, files: TreeFiles): void {
	for (const [path, content] of Object.entries(files)) {
		const file = encodeText(join(root, path));
		mkdirSync(encodeText(dirname(join(root, path))), { recursive: true });
		if (typeof content === "string" || Buffer.isBuffer(content)) writeFileSync(file, content);
		else symlinkSync(content.link, file);
	}
}

const IDENTITY = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];

/** Runs git as a user would, without the configuration of the user who runs the test. */
export function git(cwd: string, ...args: readonly string[]): string {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	const output = execFileSync("git", [...IDENTITY, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
	return decodeBytes(output);
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
