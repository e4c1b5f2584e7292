/** The package as npm installs it: built, packed, installed into an empty project, run and type-checked there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const core = import.meta.dirname;
const modules = resolve(core, "../../node_modules");
const project = mkdtempSync(join(tmpdir(), "cwl-core-"));
const run = (command: string, args: readonly string[], cwd: string) =>
	execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The first example of the README. */
const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(core, "README.md"), "utf8"))?.[1] ?? "";

beforeAll(() => {
	const packed: unknown = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", project], core));
	const [archive] = Array.isArray(packed) ? packed : [];
	writeFileSync(
		join(project, "package.json"),
		JSON.stringify({ name: "empty", private: true, type: "module" }),
	);
	run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, archive.filename)], project);
}, 240_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the example of the README runs", () => {
	writeFileSync(join(project, "example.js"), example);
	expect(run("node", ["example.js"], project)).toMatch(/^\d+ tokens in \d+ of 41 messages\ntrue\n$/);
});

test("the example of the README is about 30 lines", () => {
	expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(32);
});

test("the example compiles in strict TypeScript against the declarations", () => {
	writeFileSync(
		join(project, "example.ts"),
		example
			.replace("{ createSession }", "{ createSession, type TranscriptMessage }")
			.replace("const transcript =", "const transcript: TranscriptMessage[] ="),
	);
	const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
	const target = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", ""];
	symlinkSync(join(modules, "typescript"), join(project, "node_modules/typescript"));
	const tsc = join(modules, "typescript/bin/tsc");
	expect(run("node", [tsc, ...options, ...target, "--skipLibCheck", "false", "example.ts"], project)).toBe(
		"",
	);
}, 120_000);

test("the package has no dependencies and holds neither tests nor sources", () => {
	const installed = join(project, "node_modules/context-window-lifecycle");
	const manifest: unknown = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
	expect(manifest).not.toHaveProperty("dependencies");
	const files = run("find", [installed, "-type", "f"], project).trim().split("\n");
	expect(files.filter((file) => /test|[^d]\.ts$/.test(file.slice(installed.length)))).toEqual([]);
});
