import { expect, test } from "vitest";
import { digestArguments, digestOutput } from "./digest.ts";
import { viewedLines } from "./named-files.ts";

const keys = (args: Readonly<Record<string, unknown>>, cwd = "/home/ann/repo") =>
	digestArguments(args, cwd).paths;

test("a file at the root of the workspace has one key, relative or absolute", () => {
	const absolute = keys({ path: "/home/ann/repo/settings.toml" });
	expect(absolute).toEqual(["repo/settings.toml"]);
	expect(keys({ path: "settings.toml" })).toEqual(absolute);
	expect(keys({ path: "./settings.toml" })).toEqual(absolute);
	expect(keys({ command: "sed -n 1,20p settings.toml" })).toEqual(absolute);
	expect(keys({ path: "src/../settings.toml" })).toEqual(absolute);
});

test("a command that changes the folder first names files from there", () => {
	const absolute = keys({ path: "/home/ann/repo/packages/core/session.ts" });
	expect(keys({ command: "cd packages/core && cat session.ts" })).toEqual(absolute);
	expect(keys({ command: "cd '/home/ann/repo/packages/core'; cat session.ts" })).toEqual(absolute);
	expect(keys({ command: "cat session.ts", workdir: "/home/ann/repo/packages/core" })).toEqual(absolute);
	expect(keys({ command: "cat session.ts", workdir: "packages/core" })).toEqual(absolute);
});

test("an output names files from the workspace", () => {
	expect(digestOutput("settings.toml: 3 errors", "/home/ann/repo").paths).toEqual(["repo/settings.toml"]);
});

const linesOf = (args: Readonly<Record<string, unknown>>) =>
	viewedLines(args, "/home/ann/repo").map(({ path, first, last }) => `${path}:${first}-${last}`);

test.each([
	[{ path: "src/a.ts", offset: 10, limit: 40 }, ["src/a.ts:10-49"]],
	[{ file_path: "/home/ann/repo/src/a.ts", limit: 60 }, ["src/a.ts:1-60"]],
	[{ file_path: "src/a.ts", offset: 300 }, ["src/a.ts:300-Infinity"]],
	[{ absolute_path: "/x/src/a.ts", offset: 0, limit: 20 }, ["src/a.ts:1-20"]],
	[{ command: "view", path: "src/a.ts", view_range: [20, 60] }, ["src/a.ts:20-60"]],
	[{ command: "view", path: "src/a.ts", view_range: [20, -1] }, ["src/a.ts:20-Infinity"]],
	[{ command: "sed -n '1,240p' src/a.ts" }, ["src/a.ts:1-240"]],
	[{ cmd: "sed -n 1,80p src/a.ts && sed -n '5,$p' src/b.ts" }, ["src/a.ts:1-80", "src/b.ts:5-Infinity"]],
	[{ command: "nl -ba src/a.ts | sed -n '10,20p'" }, ["src/a.ts:10-20"]],
	[{ command: "cd packages/core && head -n 40 session.ts" }, ["core/session.ts:1-40"]],
	[{ input: `await tools.exec_command({cmd:"sed -n '1,240p' src/a.ts"})` }, ["src/a.ts:1-240"]],
])("%j asks for %j", (args, expected) => {
	expect(linesOf(args)).toEqual(expected);
});

test.each([
	{ path: "src/a.ts" },
	{ path: "src/a.ts", oldText: "a", newText: "b" },
	{ path: "src/a.ts", offset: "many", limit: -3 },
	{ path: "src/a.ts", offset: 1e300, limit: 1e300 },
	{ command: "git log | sed -n '1,20p'" },
	{ command: "sed -i '1,20d' src/a.ts" },
	{ command: "cat src/a.ts" },
])("%j names no lines", (args) => {
	expect(linesOf(args)).toEqual([]);
});

test("a call keeps sixteen views at most", () => {
	const command = Array.from({ length: 30 }, (_, index) => `sed -n 1,9p src/f${index}.ts`).join("; ");
	expect(linesOf({ command })).toHaveLength(16);
});
