import { existsSync } from "node:fs";
import { symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { nameFile } from "../codec/named-files.ts";
import {
	compareManifest,
	createFileReader,
	describeChanges,
	FILES_ENTRY,
	type FileChange,
	fileOfCall,
	GONE,
	MAX_FILES,
	readManifest,
} from "./manifest.ts";

const entry = (files: unknown) => ({ type: "custom", customType: FILES_ENTRY, data: { files } });

test.each([
	...["src/a.ts", "./src/a.ts", "@src/a.ts", "/work/project/src/a.ts", "src/x/../a.ts"].map(
		(path) => [path, "src/a.ts"] as const,
	),
	["../other/a.ts", "/work/other/a.ts"],
	["..a/b", "..a/b"],
	["~/a.ts", join(homedir(), "a.ts")],
	[".", "/work/project"],
] as const)("the file of the path %s is %s", (path, name) => {
	expect(nameFile("/work/project", path)).toBe(name);
});

test("only the file tools' calls with a path name a file", () => {
	expect(fileOfCall("/w", "edit", { path: "a" })).toBe("a");
	for (const args of [{}, { path: 7 }, { path: "" }]) expect(fileOfCall("/w", "read", args)).toBeUndefined();
	expect(fileOfCall("/w", "bash", { path: "a" })).toBeUndefined();
});

test("a state tells files apart by what they hold, is known by its size where it is too large, and is gone without a file", async () => {
	const folder = createScratch({ a: "one", b: "one", c: "two", empty: "", large: "" });
	await truncate(join(folder, "large"), 40_000_000);
	await symlink(join(folder, "nowhere"), join(folder, "link"));
	const reader = createFileReader();
	const read = (...parts: string[]) => reader(join(folder, ...parts));
	expect(await read("a")).toBe(await read("b"));
	expect(new Set([await read("a"), await read("c"), await read("empty")]).size).toBe(3);
	expect([await read("none"), await read("a", "below"), await read("link")]).toEqual([GONE, GONE, GONE]);
	expect([await read("."), await read("large")]).toEqual([undefined, "40000000:"]);
});

test("a file that was written again is read again, its time set back or not", async () => {
	const path = join(createScratch({ a: "one" }), "a");
	await utimes(path, 1, 1);
	const read = createFileReader();
	const before = await read(path);
	await writeFile(path, "two");
	await utimes(path, 1, 1);
	expect(await read(path)).not.toBe(before);
	await writeFile(path, "one");
	expect(await read(path)).toBe(before);
});

test("the manifest is what the entries of a branch add up to, whoever touched them", () => {
	const branch = [
		entry({ a: "3:aa", b: "4:bb" }),
		{ type: "custom", customType: "other", data: { files: { a: "9:99" } } },
		entry({ a: "5:cc", b: 7, c: "\u001b[2J", __proto__: { d: "1:dd" } }),
		entry(null),
		{ type: "custom", customType: FILES_ENTRY },
		entry({ b: GONE }),
	];
	expect([...readManifest(branch)]).toEqual([
		["a", "5:cc"],
		["b", GONE],
	]);
});

test("differences are told by kind, in order, and what nobody can tell is left out", () => {
	const known = new Map(Object.entries({ e: "1:a", d: GONE, c: "1:a", b: "1:a", a: "1:a" }));
	const now = new Map(Object.entries({ a: "2:b", b: GONE, c: "1:a", d: "1:a" }));
	expect(compareManifest(known, now)).toEqual([
		{ type: "changed", name: "a" },
		{ type: "deleted", name: "b" },
		{ type: "there again", name: "d" },
	]);
});

test("what is said is bounded and one line, whatever the names", () => {
	const many: FileChange[] = Array.from({ length: 500 }, (_, i) => ({ type: "changed", name: `f${i}` }));
	expect(describeChanges([{ type: "deleted", name: "a\nb" }, ...many], 2)).toBe(
		'501 files that this session knows have changed since: "a\\nb" (deleted), f0 (changed), and 499 more',
	);
	expect(describeChanges(many.slice(0, 1), 2)).toBe(
		"1 file that this session knows has changed since: f0 (changed)",
	);
});

test("of a manifest that names any number of files, those named last are known", () => {
	const names = Array.from({ length: 3 * MAX_FILES }, (_, index) => `f${index}`);
	const branch = [entry(Object.fromEntries(names.map((name) => [name, "1:aa"]))), entry({ f0: "1:bb" })];
	expect([...readManifest(branch).keys()]).toEqual([...names.slice(1 - MAX_FILES), "f0"]);
});

test.runIf(existsSync("/proc/cpuinfo"))("a file without a size is not read: some have no end", async () => {
	expect(await createFileReader()("/proc/cpuinfo")).toMatch(/^0:/);
});
