import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exists } from "../files/regular-file.ts";
import { formatGlobResult } from "../glob/glob.ts";
import { randomTree, toFiles } from "../test-support/random-tree.ts";
import * as scratch from "../test-support/scratch.ts";
import { listFiles } from "./file-listing.ts";

const { commitAll, createRepository, createScratch, git, setVariable, writeTree } = scratch;
const everything = (cwd: string) => listFiles(cwd, { cwd, within: [] });
/** Under a deadline of 4 s, so that a test of it does not wait for the usual 10. */
const hurried = (cwd: string) => listFiles(cwd, { cwd, within: [], deadlineMs: 4_000 });

/** The files that git lists and that exist. */
function listWithGit(root: string, ...options: string[]): string[] {
	const output = git(root, ...options, "ls-files", "-co", "--exclude-standard", "-z");
	const paths = new Set(output.split("\0").filter((path) => path !== ""));
	return [...paths].filter((path) => exists(`${root}/${path}`)).sort();
}

describe("a listing outside a repository", () => {
	it("holds what git would list with the same ignore files", async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, async (tree) => {
				const root = createScratch();
				const gitDirectory = createScratch();
				git(gitDirectory, "init", "--quiet", "--bare");
				writeTree(root, toFiles(tree));
				const listing = await everything(root);
				expect(listing.listedBy).toBe("walk");
				expect(listing.files).toEqual(listWithGit(root, `--git-dir=${gitDirectory}`, `--work-tree=${root}`));
			}),
			{ numRuns: 60 },
		);
	});

	it("keeps the workspace's rules in a directory below it", async () => {
		const ignored = { "sub/a.log": "", "sub/out/b.ts": "" };
		const cwd = createScratch({ ".gitignore": "*.log\n/sub/out/\n", "sub/a.ts": "", ...ignored });
		expect((await listFiles(join(cwd, "sub"), { cwd, within: [] })).files).toEqual(["a.ts"]);
	});

	it("lists links without following them, and no pipes", async () => {
		const cwd = createScratch({ "a/b.ts": "", "a/loop": { link: ".." }, broken: { link: "nowhere" } });
		execFileSync("mkfifo", [join(cwd, "pipe")]);
		expect((await everything(cwd)).files).toEqual(["a/b.ts", "a/loop", "broken"]);
	});

	it("walks a repository below it by that repository's rules", async () => {
		const cwd = createScratch({ ".gitignore": "*.ts", "one/a.ts": "", "one/x.log": "", "one/secret": "" });
		git(join(cwd, "one"), "init", "--quiet");
		writeFileSync(join(cwd, "one/.git/info/exclude"), "secret\n");
		expect((await everything(cwd)).files).toEqual([".gitignore", "one/a.ts", "one/x.log"]);
	});

	it.skipIf(process.getuid?.() === 0)("counts the directories that it may not read", async () => {
		const cwd = createScratch();
		mkdirSync(join(cwd, "closed"), { mode: 0 });
		expect((await everything(cwd)).unreadableDirectories).toBe(1);
	});
});

describe("a listing in a repository", () => {
	it("holds what git lists and what is still on disk", async () => {
		const change = fc.record({ tracked: randomTree, later: randomTree, removed: fc.nat() });
		await fc.assert(
			fc.asyncProperty(change, async ({ tracked, later, removed }) => {
				const root = createRepository();
				const first = toFiles({ ...tracked, ignoreFiles: [] });
				writeTree(root, first);
				commitAll(root);
				const paths = Object.keys(first);
				rmSync(join(root, paths[removed % paths.length] ?? ""), { force: true });
				const fresh = Object.entries(toFiles(later)).filter(([path]) => !collides(path, paths));
				writeTree(root, Object.fromEntries(fresh));
				const listing = await everything(root);
				expect(listing.files).toEqual(listWithGit(root));
				expect(listing.listedBy).toBe("git");
			}),
			{ numRuns: 40 },
		);
	});

	it("knows rules that no .gitignore file holds", async () => {
		const home = createScratch();
		writeTree(home, { ".gitconfig": `[core]\n\texcludesFile = ${home}/ignore\n`, ignore: "*.swp\n" });
		setVariable("HOME", home);
		setVariable("XDG_CONFIG_HOME", home);
		const cwd = createRepository({ "a.swp": "", "b.ts": "", secret: "" });
		writeFileSync(join(cwd, ".git/info/exclude"), "secret\n");
		expect((await everything(cwd)).files).toEqual(["b.ts"]);
	});

	it("shows the files of a submodule and of an untracked repository, by their own rules", async () => {
		const cwd = createRepository({ "a.ts": "", "sub/b.ts": "", "sub/b.log": "", "nested/c.ts": "" });
		for (const inner of ["sub", "nested"]) git(join(cwd, inner), "init", "--quiet");
		commitAll(join(cwd, "sub"));
		git(cwd, "add", "a.ts", "sub");
		commitAll(join(cwd, "nested"));
		writeTree(cwd, { ".gitignore": "*.log", "sub/.gitignore": "d.ts", "sub/d.ts": "" });
		const expected = [".gitignore", "a.ts", "nested/c.ts", "sub/.gitignore", "sub/b.log", "sub/b.ts"];
		expect((await everything(cwd)).files).toEqual(expected);
		const narrow = await listFiles(cwd, { cwd, within: ["sub/deep", "nested"] });
		expect(narrow.files).toEqual(expected.filter((path) => path.includes("/")));
	});

	/** A git that answers as usual, but in these folders does something else. */
	function replaceGit(folder: string, instead: string): void {
		const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
		const programs = createScratch();
		const script = `#!/bin/sh\ncase "$PWD" in */${folder}) ${instead};; esac\nexec ${real} "$@"\n`;
		writeFileSync(join(programs, "git"), script, { mode: 0o755 });
		setVariable("PATH", `${programs}:${process.env.PATH}`);
	}

	/** A repository with a submodule of three files, one of them ignored by it. */
	function createSuperproject(): string {
		const cwd = createRepository({ "a.ts": "", "sub/b.ts": "", "sub/deep/c.ts": "", "sub/x.log": "" });
		writeTree(cwd, { "sub/.gitignore": "*.log\n" });
		git(join(cwd, "sub"), "init", "--quiet");
		commitAll(join(cwd, "sub"));
		commitAll(cwd);
		return cwd;
	}

	const WHOLE = ["a.ts", "sub/.gitignore", "sub/b.ts", "sub/deep/c.ts"];

	it.each([
		["hangs", "exec sleep 60"],
		["fails", "exit 128"],
	])("walks a submodule in which git %s, so that none of its files is missing", async (_, instead) => {
		const cwd = createSuperproject();
		replaceGit("sub", instead);
		expect(await hurried(cwd)).toMatchObject({ files: WHOLE, unlistedRepositories: 0 });
	});

	it("walks a submodule that has lost its .git, or whose own files are not safe for git", async () => {
		for (const damage of ["rm -r sub/.git", "rm sub/.git/index && mkfifo sub/.git/index"]) {
			const cwd = createSuperproject();
			execFileSync("sh", ["-c", damage], { cwd });
			expect((await everything(cwd)).files).toEqual(WHOLE);
		}
	});

	it("says that it is partial where git does not answer for a submodule and a walk does not end either", async () => {
		const cwd = createSuperproject();
		writeTree(cwd, { "sub/.gitignore": `${"**/a/".repeat(14)}b`, [`sub/${"a/".repeat(60)}c`]: "" });
		replaceGit("sub", "exit 128");
		const listing = await listFiles(cwd, { cwd, within: [], deadlineMs: 600_000 });
		expect(listing).toMatchObject({ files: ["a.ts"], unlistedRepositories: 1 });
		const result = { ...listing, paths: listing.files, total: 1 };
		expect(formatGlobResult(result, () => 0)).toContain("(partial: time was up before 1 submodule or nested");
	});

	it("works in a linked work tree and in a sparse one", async () => {
		const cwd = createRepository({ "a/x.ts": "", "b/y.ts": "" });
		commitAll(cwd);
		const linked = join(createScratch(), "linked");
		git(cwd, "worktree", "add", "--quiet", linked);
		expect((await everything(linked)).files).toEqual(["a/x.ts", "b/y.ts"]);
		git(linked, "sparse-checkout", "set", "a");
		expect((await everything(linked)).files).toEqual(["a/x.ts"]);
	});

	it("shows an ignored directory that was named all the same", async () => {
		const vendor = { "vendor/.gitignore": "*.o", "vendor/a.c": "", "vendor/a.o": "" };
		const cwd = createRepository({ ".gitignore": "vendor/", ...vendor });
		const listing = await listFiles(join(cwd, "vendor"), { cwd, within: [] });
		expect(listing.files).toEqual([".gitignore", "a.c"]);
		expect((await everything(cwd)).files).toEqual([".gitignore"]);
	});

	it("falls back to a walk where git refuses the repository", async () => {
		const cwd = createRepository({ ".gitignore": "*.log", "a.ts": "", "a.log": "" });
		writeFileSync(join(cwd, ".git/index"), "not an index");
		const listing = await everything(cwd);
		expect(listing).toMatchObject({ files: [".gitignore", "a.ts"], listedBy: "walk" });
	});
});

it("stops when it is cancelled", async () => {
	const cwd = createRepository({ a: "" });
	const signal = AbortSignal.abort();
	await expect(listFiles(cwd, { cwd, within: [], signal })).rejects.toMatchObject({ code: "aborted" });
});

function collides(path: string, taken: readonly string[]): boolean {
	return taken.some(
		(other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
	);
}

/** Milliseconds of processor time between two turns of the event loop, at most. */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isRunning = true;
	let last = process.cpuUsage();
	const watch = () => {
		const { user, system } = process.cpuUsage(last);
		longest = Math.max(longest, (user + system) / 1000);
		last = process.cpuUsage();
		if (isRunning) setImmediate(watch);
	};
	setImmediate(watch);
	await run();
	isRunning = false;
	return longest;
}

it("2,000 rules that take long to match do not stop the event loop", async () => {
	const cwd = createRepository();
	const rules = Array.from({ length: 2000 }, (_, index) => `**/a/**/a/**/a/**/b${index}`);
	const files = Array.from({ length: 400 }, (_, index) => [`${"a/".repeat(40)}${index}.ts`, ""]);
	writeTree(cwd, { ".gitignore": rules.join("\n"), ...Object.fromEntries(files) });
	const turn = await longestTurn(() => expect(hurried(cwd)).rejects.toMatchObject({ code: "too-costly" }));
	// One path may take a second of processor time. A walk that held the loop would keep it for the whole deadline.
	expect(turn).toBeLessThan(3_000);
});
