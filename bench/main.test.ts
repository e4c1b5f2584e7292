import { expect, test } from "vitest";
import { runBench } from "./test-support/bench-program.ts";

test("without a name every bench is listed, and a bench lists its own flags", async () => {
	const { code, stdout } = await runBench();
	expect(code).toBe(0);
	expect((await runBench("help")).stdout).toBe(stdout);
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
	[["micro", "--messages", "0"]],
])("%j is refused in one line with exit code 2", async (args) => {
	const { code, stdout, stderr } = await runBench(...args);
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(/^bench: [^\n]+\n$/);
});
