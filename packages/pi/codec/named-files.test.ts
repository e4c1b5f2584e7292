import { expect, test } from "vitest";
import { digestArguments, digestOutput } from "./digest.ts";
import { viewedLines } from "./named-files.ts";
import examples from "./named-files-examples.json" with { type: "json" };

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

test.each(examples.asked)("$args asks for $lines", ({ args, lines }) => {
	expect(linesOf(args)).toEqual(lines);
});

test.each(examples.whole)("%j names no lines", (args) => {
	expect(linesOf(args)).toEqual([]);
});

test("a call keeps sixteen views at most", () => {
	const command = Array.from({ length: 30 }, (_, index) => `sed -n 1,9p src/f${index}.ts`).join("; ");
	expect(linesOf({ command })).toHaveLength(16);
});
