import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { glob } from "./glob/glob.ts";
import { grep } from "./grep/grep.ts";
import { findRipgrep } from "./grep/ripgrep.ts";
import { listFiles } from "./listing/file-listing.ts";
import { commitAll, createRepository, createScratch, git, writeTree } from "./test-support/scratch.ts";
import { compareText } from "./text/shown-text.ts";

/** Real source code: packages that are installed to develop this one, copied from their folders. */
const packages = ["fast-glob", "simple-git", "yaml", "micromatch", "ignore"];
const rules = {
	".gitignore": "*.map\n*.d.ts\n!index.d.ts\n/yaml/browser/\n**/*.min.js\n",
	"simple-git/.gitignore": "*\n!*/\n!package.json\n!dist/**\n",
	"yaml/.gitignore": "dist/compose/\n!dist/compose/composer.js\n[A-M]*.md\n",
};

const patterns = [
	"return",
	"simpleGit",
	"\\bfunction \\w+\\(",
	"^\\s*\\}$",
	"[a-z]+[A-Z]\\w+ = ",
	"(?i)TODO|fixme",
];

const { resolve } = createRequire(import.meta.url);

function copyPackages(root: string): void {
	for (const name of packages) {
		const main = resolve(name);
		const folder = main.slice(
			0,
			main.lastIndexOf(join("node_modules", name)) + join("node_modules", name).length,
		);
		cpSync(folder, join(root, name), { recursive: true });
	}
	writeTree(root, rules);
}

/** The files that git lists, in the order of the tools. */
function listWithGit(root: string, pathspecs: readonly string[] = [], options: readonly string[] = []) {
	const args = [...options, "ls-files", "-co", "--exclude-standard", "-z", "--", ...pathspecs];
	const paths = git(root, ...args).split("\0");
	return [...new Set(paths)].filter((path) => path !== "").toSorted(compareText);
}

/** Half of the files are tracked, half are not. */
function createRealRepository(): string {
	const root = createRepository();
	copyPackages(root);
	commitAll(root);
	copyPackages(join(root, "again"));
	return root;
}

describe("in a repository of real source", () => {
	it("the files are those of git", async () => {
		const root = createRealRepository();
		const { files, listedBy } = await listFiles(root, { cwd: root, within: [] });
		expect(listedBy).toBe("git");
		expect(files.length).toBeGreaterThan(200);
		expect(files).toEqual(listWithGit(root));
	}, 60_000);

	it("a pattern matches what git matches", async () => {
		const root = createRealRepository();
		for (const pattern of [
			"**/*.js",
			"yaml/**",
			"**/index.*",
			"**/*[A-Z]*.js",
			"*/package.json",
			"**/tasks/*",
		]) {
			const { paths } = await glob({ pattern, limit: 5_000 }, { cwd: root });
			expect(paths.length).toBeGreaterThan(0);
			expect(paths).toEqual(listWithGit(root, [`:(glob)${pattern}`]));
		}
	}, 60_000);

	it("the lines that match are those of ripgrep", async () => {
		const root = createRealRepository();
		for (const pattern of patterns) {
			const expected = countWithRipgrep(root, pattern);
			expect(Object.keys(expected).length).toBeGreaterThan(0);
			const { files } = await grep({ pattern, mode: "count", limit: 5_000 }, { cwd: root });
			const found = Object.fromEntries(files.map(({ path, count }) => [path, count]));
			expect([pattern, found]).toEqual([pattern, expected]);
		}
	}, 60_000);
});

describe("outside of any repository", () => {
	it("the files of real source are those that git would list by the same .gitignore files", async () => {
		const root = createScratch();
		copyPackages(root);
		const { files, listedBy } = await listFiles(root, { cwd: root, within: [] });
		expect(listedBy).toBe("walk");
		const directory = join(createScratch(), "git");
		git(root, "init", "--quiet", "--bare", directory);
		expect(files).toEqual(listWithGit(root, [], [`--git-dir=${directory}`, `--work-tree=${root}`]));
	});
});

/** Matching lines by file, over the files that ripgrep finds by its own walk. */
function countWithRipgrep(root: string, pattern: string): Readonly<Record<string, number>> {
	const args = [
		"--no-config",
		"--hidden",
		"--glob=!.git",
		"--no-ignore-parent",
		"--count",
		"--null",
		"-e",
		pattern,
		"./",
	];
	const output = execFileSync(findRipgrep() ?? "rg", args, { cwd: root, encoding: "utf8" });
	return Object.fromEntries(
		[...output.matchAll(/^\.\/(.+)\0(\d+)$/gm)].map(([, path = "", count]) => [path, Number(count)]),
	);
}
