import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createScratch, writeTree } from "../test-support/scratch.ts";
import { checkFile, resolveSearchPath } from "./search-path.ts";

it("reads a path as pi's own tools do, and a name that really starts with @ as it is", async () => {
	const cwd = createScratch({ "src/a b.ts": "", "@scope/x.ts": "" });
	const inside = { type: "directory", path: join(cwd, "src"), prefix: "src/" };
	expect(await resolveSearchPath(undefined, cwd)).toEqual({ type: "directory", path: cwd, prefix: "" });
	expect(await resolveSearchPath("./src/", cwd)).toEqual(inside);
	expect(await resolveSearchPath("@src", cwd)).toEqual(inside);
	expect(await resolveSearchPath(join(cwd, "src"), cwd)).toEqual(inside);
	expect(await resolveSearchPath("src/a\u00A0b.ts", cwd)).toMatchObject({
		type: "file",
		path: join(cwd, "src/a b.ts"),
	});
	expect(await resolveSearchPath("~", cwd)).toMatchObject({ path: homedir() });
	expect(await resolveSearchPath("@scope", cwd)).toMatchObject({ prefix: "@scope/" });
});

it.skipIf(process.getuid?.() === 0)("refuses a directory that may not be read", async () => {
	const cwd = createScratch();
	mkdirSync(join(cwd, "closed"), { mode: 0 });
	await expect(resolveSearchPath("closed", cwd)).rejects.toMatchObject({ code: "not-readable" });
});

it("allows an absolute path outside the workspace, and shows what is below it by absolute paths", async () => {
	const cwd = createScratch();
	const other = createScratch();
	expect(await resolveSearchPath(other, cwd)).toMatchObject({ path: other, prefix: `${other}/` });
	await expect(resolveSearchPath(join("..", "x"), cwd)).rejects.toMatchObject({ code: "outside" });
});

it("refuses a link that leads out of the workspace as it refuses ../, and takes one that stays inside", async () => {
	const cwd = createScratch();
	const other = createScratch();
	writeTree(cwd, { "src/a.ts": "" });
	writeTree(other, { "secret.txt": "", "deep/b.txt": "" });
	symlinkSync(other, join(cwd, "out"));
	symlinkSync(join(other, "secret.txt"), join(cwd, "pw"));
	symlinkSync("src", join(cwd, "in"));
	for (const path of ["out", "./out/", "out/deep", "out/secret.txt", "pw", join(cwd, "pw"), "@pw"]) {
		await expect(resolveSearchPath(path, cwd), path).rejects.toMatchObject({
			code: "outside",
			message: expect.stringMatching(/^@?\S+ leads out of the workspace .* Give a path inside it/),
		});
	}
	expect(await resolveSearchPath("in/a.ts", cwd)).toMatchObject({ type: "file" });
	symlinkSync(cwd, join(other, "workspace"));
	expect(await resolveSearchPath("src", join(other, "workspace"))).toMatchObject({ prefix: "src/" });
	expect(await resolveSearchPath(join(other, "deep"), cwd)).toMatchObject({ type: "directory" });
});

/** A workspace with files that a file tool may open, and others that it may not. */
function files(): string {
	const cwd = createScratch({ "a.txt": "a", huge: "", "dir/b": "", link: { link: "pipe" } });
	truncateSync(join(cwd, "huge"), 2 ** 31 + 1);
	execFileSync("mkfifo", [join(cwd, "pipe")]);
	return cwd;
}

it.each(["a.txt", "@a.txt", "./dir/../a.txt", "missing", "missing/below", "a\0b"])(
	"lets %j pass",
	async (path) => {
		await expect(checkFile(path, files())).resolves.toBeUndefined();
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
	await expect(checkFile(path, files())).rejects.toMatchObject({ name: "WorkspaceError", code });
});
