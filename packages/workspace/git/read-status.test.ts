import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import { listFiles } from "../listing/file-listing.ts";
import { createHostileRepository } from "../test-support/hostile-repository.ts";
import * as scratch from "../test-support/scratch.ts";
import { readGitStatus } from "./read-status.ts";

const { commitAll, createRepository, createScratch, git, setVariable, writeTree } = scratch;
const PATIENT_MS = 600_000;
const read = (cwd: string) => readGitStatus(cwd, { deadlineMs: PATIENT_MS });

describe("in a repository", () => {
	it("tells the branch and what became of every file", async () => {
		const cwd = createRepository({ "a.ts": "1", "b.ts": "1", "old name.ts": "a long text\n", "gone.ts": "" });
		expect(await read(cwd)).toMatchObject({ type: "repository", branch: "main", commit: undefined });
		commitAll(cwd);
		git(cwd, "mv", "old name.ts", "new name.ts");
		writeTree(cwd, { "a.ts": "22", "new.ts": "", "dir/x.ts": "", "dir/y.ts": "" });
		git(cwd, "add", "new.ts");
		rmSync(join(cwd, "gone.ts"));
		const status = await read(cwd);
		expect(status).toMatchObject({
			branch: "main",
			ahead: undefined,
			staged: [
				{ kind: "R", path: "new name.ts" },
				{ kind: "A", path: "new.ts" },
			],
			changed: [
				{ kind: "M", path: "a.ts" },
				{ kind: "D", path: "gone.ts" },
			],
			untracked: ["dir/"],
			conflicts: [],
			operation: undefined,
		});
	});

	it("counts commits ahead of and behind the upstream", async () => {
		const origin = createRepository({ a: "1" });
		commitAll(origin);
		const cwd = join(createScratch(), "clone");
		git(origin, "clone", "--quiet", origin, cwd);
		writeTree(cwd, { b: "2" });
		commitAll(cwd);
		commitAll(origin);
		commitAll(origin);
		git(cwd, "fetch", "--quiet");
		expect(await read(cwd)).toMatchObject({ ahead: 1, behind: 2 });
	});

	it.each(["merge", "rebase", "cherry-pick"])(
		"names an unfinished %s and its conflicts",
		async (operation) => {
			const cwd = createRepository({ a: "1\n" });
			commitAll(cwd);
			git(cwd, "checkout", "--quiet", "-b", "other");
			writeTree(cwd, { a: "2\n" });
			commitAll(cwd);
			git(cwd, "checkout", "--quiet", "main");
			writeTree(cwd, { a: "3\n" });
			commitAll(cwd);
			expect(() => git(cwd, operation, "other")).toThrow();
			expect(await read(cwd)).toMatchObject({ operation, conflicts: ["a"] });
		},
	);

	it("reads a linked work tree, and from a directory below", async () => {
		const cwd = createRepository({ "d/a": "" });
		commitAll(cwd);
		const linked = join(createScratch(), "linked");
		git(cwd, "worktree", "add", "--quiet", "-b", "side", linked);
		expect(await read(join(linked, "d"))).toMatchObject({ type: "repository", branch: "side" });
	});

	it("counts the submodules into which it does not look, from a directory below too", async () => {
		const cwd = createRepository({ "one/a": "1", "deep/two/a": "1", "three/x": "" });
		for (const inner of ["one", "deep/two"]) {
			git(join(cwd, inner), "init", "--quiet");
			commitAll(join(cwd, inner));
		}
		commitAll(cwd);
		writeTree(cwd, { "one/a": "22" });
		expect(await read(cwd)).toMatchObject({ changed: [], submodules: 2 });
		expect(await read(join(cwd, "three"))).toMatchObject({ submodules: 2 });
		rmSync(join(cwd, "one"), { recursive: true });
		expect(await read(createRepository({ a: "" }))).toMatchObject({ submodules: 0 });
	});

	it("leaves no lock and writes nothing", async () => {
		const cwd = createRepository({ a: "" });
		commitAll(cwd);
		writeFileSync(join(cwd, ".git/index.lock"), "");
		expect(await read(cwd)).toMatchObject({ type: "repository" });
		rmSync(join(cwd, ".git/index.lock"));
		await read(cwd);
		expect(readdirSync(join(cwd, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
	});
});

describe("elsewhere", () => {
	it("is quiet outside a repository and in git's own directory", async () => {
		expect(await read(createScratch())).toEqual({ type: "outside" });
		expect(await read(join(createRepository(), ".git"))).toEqual({ type: "outside" });
	});

	it("knows a bare repository", async () => {
		const cwd = createScratch();
		git(cwd, "init", "--quiet", "--bare");
		expect(await read(cwd)).toEqual({ type: "bare" });
	});

	it.each([".git/index", ".git/config"])("survives a corrupt %s", async (file) => {
		const cwd = createRepository({ a: "" });
		commitAll(cwd);
		writeFileSync(join(cwd, file), "[nonsense");
		expect(await read(cwd)).toMatchObject({ type: "unavailable", reason: "failed" });
	});

	it("survives a machine without git", async () => {
		setVariable("PATH", createScratch());
		expect(await read(createScratch())).toMatchObject({ type: "unavailable", reason: "no-git" });
	});

	it("does not wait for a git that hangs, nor past a cancelled call", async () => {
		const cwd = createRepository();
		const programs = createScratch();
		writeFileSync(join(programs, "git"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
		setVariable("PATH", `${programs}:${process.env.PATH}`);
		// Node 20 collects signals that nothing but a deadline of AbortSignal.timeout would fire.
		setFlagsFromString("--expose-gc");
		const collecting = setInterval(runInNewContext("gc"), 10);
		onTestFinished(() => clearInterval(collecting));
		expect(await readGitStatus(cwd)).toMatchObject({ type: "unavailable", reason: "deadline" });
		const signal = AbortSignal.timeout(1);
		const cancelled = await readGitStatus(cwd, { deadlineMs: PATIENT_MS, signal });
		expect(cancelled).toMatchObject({ type: "unavailable", reason: "cancelled" });
	});
});

describe("in a hostile repository", () => {
	it("is told what changed, without the repository's programs", async () => {
		const { root } = createHostileRepository(createScratch());
		const changed = [{ kind: "M", path: "a.txt" }];
		expect(await read(root)).toMatchObject({ type: "repository", branch: "main", changed });
		const listing = await listFiles(root, { cwd: root, within: [] });
		expect(listing).toMatchObject({ listedBy: "git" });
		expect(listing.files).toContain("sub/s.txt");
	});

	it("refuses a filter whose name cannot be switched off", async () => {
		const cwd = createRepository({ a: "" });
		writeFileSync(join(cwd, ".git/config"), '[core]\n[filter "x=y"]\n\tclean = false\n');
		expect(await read(cwd)).toMatchObject({ type: "unavailable", reason: "unsafe" });
	});

	it("is not led astray by the variables of a hook", async () => {
		const cwd = createRepository({ a: "" });
		setVariable("GIT_DIR", join(createRepository(), ".git"));
		expect(await read(cwd)).toMatchObject({ untracked: ["a"] });
	});
});
