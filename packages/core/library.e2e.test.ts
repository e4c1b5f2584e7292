/** The package as npm installs it: built, packed, installed into an empty project, and the example of its page runs and type-checked there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackInto } from "../cli/test-support/packed.ts";

const core = import.meta.dirname;
const modules = resolve(core, "../../node_modules");
const project = mkdtempSync(join(tmpdir(), "cwl-core-"));
const run = (command: string, args: readonly string[], cwd: string) =>
	execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The first example of the README. */
const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(core, "README.md"), "utf8"))?.[1] ?? "";

beforeAll(async () => {
	writeFileSync(
		join(project, "package.json"),
		JSON.stringify({ name: "empty", private: true, type: "module" }),
	);
	await unpackInto(project);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Compiles code in the project with the strictest settings of TypeScript, against the declarations. */
function compile(name: string, code: string, ...more: readonly string[]): void {
	writeFileSync(join(project, `${name}.ts`), code);
	const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
	const target = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", ""];
	run("node", [join(modules, "typescript/bin/tsc"), ...strict, ...target, ...more, `${name}.ts`], project);
}

test("the example of the README is about 30 lines, and runs", () => {
	expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(32);
	writeFileSync(join(project, "example.js"), example);
	expect(run("node", ["example.js"], project)).toMatch(/^\d+ tokens in \d+ of 41 messages\ntrue\n$/);
});

test("the example compiles in strict TypeScript against the declarations", () => {
	const code = example
		.replace("{ createSession }", "{ createSession, type TranscriptMessage }")
		.replace("const transcript =", "const transcript: TranscriptMessage[] =");
	symlinkSync(join(modules, "typescript"), join(project, "node_modules/typescript"));
	compile("typed-example", code);
});

test("the first lines of docs/library.md and the wrapper's options compile against the declarations", () => {
	const code = `import { type LifecycleOptions, withLifecycle } from "context-window-lifecycle";
const options: LifecycleOptions = { budget: 60_000, folder: "passes", onPass: ({ pass, sent }) => console.log(pass.after, sent) };
const send: typeof fetch = withLifecycle(options);
const { verdict, status } = withLifecycle().explain();
console.log(send, verdict.length, status?.passes);`;
	compile("wrapper", code);
});
