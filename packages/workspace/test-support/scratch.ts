import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { decodeBytes, encodeText } from "../byte-text.mjs";

/** A new empty directory outside any repository, removed when the test ends. */
export function createScratch(): string {
	const directory = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}

/** Writes files by path; `{ link }` makes a symbolic link. */
export function writeTree(
	root: string,
	files: Readonly<Record<string, string | Buffer | { readonly link: string }>>,
): void {
	for (const [path, content] of Object.entries(files)) {
		const file = encodeText(join(root, path));
		mkdirSync(encodeText(dirname(join(root, path))), { recursive: true });
		if (typeof content === "string" || Buffer.isBuffer(content)) writeFileSync(file, content);
		else symlinkSync(content.link, file);
	}
}

const IDENTITY = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];

/** Runs git as a user would, in a repository that the test made, without the config of whoever runs the test. */
export function git(cwd: string, ...args: readonly string[]): string {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	const output = execFileSync("git", [...IDENTITY, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
	return decodeBytes(output);
}

export function createRepository(files: Parameters<typeof writeTree>[1] = {}): string {
	const root = createScratch();
	git(root, "init", "--quiet", "--initial-branch=main");
	writeTree(root, files);
	return root;
}

export function commitAll(root: string): void {
	git(root, "add", "--all");
	git(root, "commit", "--quiet", "--allow-empty", "--message=state");
}
