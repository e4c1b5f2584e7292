import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createScratch } from "../test-support/scratch.ts";
import { checkFile } from "./search-path.ts";

function scratch(): string {
	const cwd = createScratch();
	writeFileSync(join(cwd, "a.txt"), "a");
	writeFileSync(join(cwd, "huge"), "");
	truncateSync(join(cwd, "huge"), 2 ** 31 + 1);
	mkdirSync(join(cwd, "dir"));
	execFileSync("mkfifo", [join(cwd, "pipe")]);
	symlinkSync("pipe", join(cwd, "link"));
	return cwd;
}

it.each(["a.txt", "@a.txt", "./dir/../a.txt", "missing", "missing/below", "a\0b"])(
	"lets %j pass",
	async (path) => {
		await expect(checkFile(path, scratch())).resolves.toBeUndefined();
	},
);

it.each([
	["pipe", "not-a-file"],
	["@pipe", "not-a-file"],
	["link", "not-a-file"],
	["/dev/zero", "not-a-file"],
	["dir", "not-a-file"],
	["huge", "too-large"],
])("refuses %s", async (path, code) => {
	await expect(checkFile(path, scratch())).rejects.toMatchObject({ name: "WorkspaceError", code });
});
