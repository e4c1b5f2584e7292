import { expect, test } from "vitest";
import { runBench } from "./test-support/bench-program.ts";

test("help names every bench, and a bench lists its own flags", async () => {
	const { code, stdout } = await runBench("help");
	expect(code).toBe(0);
	const names = [...stdout.matchAll(/^ {2}(\S+) {3}/gm)].map(([, name]) => name ?? "");
	expect(names).toEqual(expect.arrayContaining(["micro", "kill", "strict"]));
	for (const name of ["single-session", "fuzz"]) {
		expect(names).toContain(name);
		const shown = await runBench(name, "--help");
		expect(shown).toMatchObject({ code: 0, stderr: "" });
		expect(shown.stdout).toContain(`npm run bench -- ${name}`);
		expect(shown.stdout).toMatch(/^ {2}--json +\S/m);
	}
});

test.each([
	[["nothing"]],
	[["fuzz", "--bogus"]],
	[["commits", "/nowhere"]],
	[["single-session", "--seed-from", "0"]],
	[["fuzz", "5"]],
	[["micro", "--part", "tools", "--rounds", "0"]],
])("%j is refused in one line with exit code 2", async (args) => {
	const { code, stdout, stderr } = await runBench(...args);
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(/^bench: [^\n]+\n$/);
});

test("micro --part tools prints a table, or the same as JSON, in which all who look at the same files find the same", async () => {
	const args = ["micro", "--part", "tools", "--rounds", "1", "--files", "400"];
	const table = await runBench(...args);
	expect(table.code).toBe(0);
	expect(table.stdout).toMatch(/^\| glob: the whole tree +\| +ours \| /m);
	const { code, stdout } = await runBench(...args, "--json");
	expect(code).toBe(0);
	const { subjects, machine, versions } = JSON.parse(stdout);
	expect(machine.node).toBe(process.versions.node);
	expect(versions.git).toMatch(/^\d/);
	for (const { name, timings } of subjects) {
		const found = timings.map((timing: { found: number }) => timing.found);
		expect([name, ...found]).toEqual([name, ...found.map(() => found[0])]);
		expect(found[0]).toBeGreaterThan(0);
	}
});

test("npm run bench -- search: every way but whole files, which pi cuts short, comes to see all answers, and ours is the smallest", async () => {
	const { code, stdout } = await runBench("search", "--questions", "2", "--json");
	expect(code).toBe(0);
	const { bare } = JSON.parse(stdout);
	const of = (way: string): readonly { isAnswered: boolean; tokens: number }[] =>
		bare.filter((answer: { way: string }) => answer.way === way);
	const tokens = (way: string) => of(way).reduce((sum, answer) => sum + answer.tokens, 0);
	for (const way of ["shell grep and find", "glob, grep and read"]) {
		expect(of(way).map(({ isAnswered }) => isAnswered)).toEqual(of(way).map(() => true));
	}
	expect(of("whole files")).toHaveLength(6);
	expect(tokens("glob, grep and read")).toBeLessThan(tokens("shell grep and find"));
	expect(tokens("shell grep and find")).toBeLessThan(tokens("whole files"));
});
