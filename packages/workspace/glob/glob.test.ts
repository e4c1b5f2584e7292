import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showName } from "#basics";
import { loadTokenCounter } from "#pi/codec";
import { randomTree, toFiles } from "../test-support/random-tree.ts";
import { createRepository, createScratch, git, writeTree } from "../test-support/scratch.ts";
import { formatGlobResult, glob } from "./glob.ts";
import examples from "./glob-examples.json" with { type: "json" };
import { compileGlob } from "./glob-pattern.ts";

const MANY = 10_000;
const count = await loadTokenCounter();

async function find(cwd: string, pattern: string, path?: string): Promise<readonly string[]> {
	const { paths } = await glob({ pattern, limit: MANY, ...(path === undefined ? {} : { path }) }, { cwd });
	return paths;
}

const segment = fc.constantFrom(..."* ** ? a* *.log [ab] lib x.log a *.ts .*".split(" "), "a b");
const gitPattern = fc
	.tuple(fc.constantFrom("**/", "*/", "a/", "lib/"), fc.array(segment, { minLength: 1, maxLength: 3 }))
	.map(([first, rest]) => first + rest.join("/"));

describe("a pattern", () => {
	it("finds what git finds with the same pathspec", async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, gitPattern, async (tree, pattern) => {
				const cwd = createRepository();
				// git compares bytes: `?` matches half of an é.
				const files = Object.entries(toFiles(tree)).filter(([path]) => /^[\n -~]*$/.test(path));
				writeTree(cwd, Object.fromEntries(files));
				const args = ["ls-files", "-z", "-co", "--exclude-standard", "--", `:(glob)${pattern}`];
				// To git the name of a folder stands for all in it; to glob that takes a slash at its end.
				const expected = git(cwd, ...args)
					.split("\0")
					.filter((path) => path !== "" && !path.startsWith(`${pattern}/`));
				expect(await find(cwd, pattern)).toEqual(expected.sort().map(showName));
			}),
			{ numRuns: 60 },
		);
	});

	const emptyFiles = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, ""]));
	const cwd = () =>
		createRepository({
			...emptyFiles("a.ts", "src/a.ts", "src/b.test.ts", "src/deep/c.tsx", "src/deep/.hidden.ts"),
			...emptyFiles("app/[id]/page.tsx", "README.md", "doc1.md", "doc2.md"),
		});

	it.each(examples.plain)("$pattern", async ({ pattern, paths }) => {
		expect(await find(cwd(), pattern)).toEqual(paths);
	});

	const odd = () => {
		const routes = emptyFiles(
			"app/(marketing)/page.tsx",
			"app/marketing/page.tsx",
			"app/(shop)/(cart)/page.tsx",
		);
		const brackets = emptyFiles("[id]/a.ts", "i/a.ts", "[...slug]/a.ts", "x/[ab]/c.ts", "a/c.ts");
		return createScratch({
			...routes,
			...brackets,
			...emptyFiles("C++ (old)/x.tsx", "C++(new)/x.tsx", "{p}/x.tsx", "@(a)/y.ts", "{a,b}/z.ts", "b/z.ts"),
		});
	};

	it.each(examples.namedFolders)(
		"$pattern finds the folder of this name before what it would match as a pattern",
		async ({ pattern, paths }) => {
			expect(await find(odd(), pattern)).toEqual(paths);
		},
	);

	it("is compared below `path`, and may be absolute", async () => {
		const root = cwd();
		expect(await find(root, "deep/*", "src")).toEqual(["src/deep/.hidden.ts", "src/deep/c.tsx"]);
		expect(await find(root, `${root}/src/*.ts`)).toEqual(["src/a.ts", "src/b.test.ts"]);
		expect(await find(join(root, "src"), "*.md", root)).toContain(`${root}/README.md`);
	});

	it.each([
		"",
		"../*.ts",
		"!*.ts",
		"/nowhere/*.ts",
		"a".repeat(2000),
		"{a,b}".repeat(60),
		"{1..100000000}",
		// The library fails at it with an error of its own.
		"{\ud800{a..z..0}@(a+)+",
	])("%.20s is refused", async (pattern) => {
		const error = { name: "WorkspaceError", code: "bad-pattern" };
		await expect(find(cwd(), pattern)).rejects.toMatchObject(error);
	});

	it("has a limit for all paths together: names that are made for a pattern take no more time for being many", async () => {
		const { filter } = await compileGlob("*a*a*ab", "/", 20);
		const paths = Array.from({ length: 5_000 }, () => "a".repeat(150));
		await expect(filter(paths)).rejects.toMatchObject({ code: "too-costly" });
	});
});

describe("a path", () => {
	it.each([
		["missing", "not-found"],
		["../..", "outside"],
		["file", "not-a-directory"],
		["a\0b", "bad-argument"],
	])("%j is refused", async (path, code) => {
		const root = createScratch({ file: "" });
		await expect(find(root, "*", path)).rejects.toMatchObject({ code });
	});
});

describe("the result", () => {
	it("is bounded by a limit and says exactly what it leaves out", async () => {
		const cwd = createScratch(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, ""])));
		const result = await glob({ pattern: "f*", limit: 4 }, { cwd });
		expect(result).toMatchObject({ paths: ["f0", "f1", "f10", "f11"], total: 30 });
		expect(formatGlobResult(result, count)).toContain("26 more of 30 files");
	});

	it("is bounded by its tokens too, whatever the names are", async () => {
		const cwd = createScratch();
		const names = Array.from({ length: 150 }, (_, at) => `${at}${"漢ﷺ".repeat(30)}`);
		writeTree(cwd, Object.fromEntries(names.map((name) => [name, ""])));
		const text = formatGlobResult(await glob({ pattern: "*", limit: MANY }, { cwd }), count);
		const shown = text.split("\n").length - 1;
		expect(count(text)).toBeLessThan(4050);
		expect(shown).toBeGreaterThan(0);
		expect(text).toContain(`(${150 - shown} more of 150 files`);
	});

	it("escapes names that could pose as something else", async () => {
		const cwd = createScratch({
			"two\nlines": "",
			"</x>": "",
			"a b": "",
			"é.ts": "",
			"\u202Etxt": "",
		});
		const shown = ['"</x>"', '"a b"', '"two\\nlines"', '"\\u202etxt"', "é.ts"];
		const expected = shown.map((name) => name.replace("<", "\\u003c").replace(">", "\\u003e"));
		expect([...(await find(cwd, "*"))].sort()).toEqual(expected.sort());
	});

	it.each([0, -1, 1.5, Number.NaN])("has no limit of %d", async (limit) => {
		await expect(glob({ pattern: "*", limit }, { cwd: createScratch() })).rejects.toMatchObject({
			code: "bad-argument",
		});
	});
});
