import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createJiti } from "jiti";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { loadPolicies, parsePolicies } from "./registry.ts";

test("names are looked up in their order, each once", () => {
	expect(parsePolicies("paper, none,paper").map(({ name }) => name)).toEqual(["paper", "none"]);
});

test.each(["", "papers", "none,oracle"])("%j names what is known", (list) => {
	expect(() => parsePolicies(list)).toThrow(/use one or more of none, window, .*paper/);
});

test.each(["fifo:low", "fifo:low=many", "fifo:lose=3", "none:keep=1"])(
	"%s names the knobs that there are",
	(policy) => {
		expect(() => parsePolicies(policy)).toThrow(expect.objectContaining({ code: "bad-knob" }));
	},
);

const folder = scratchFolder();

async function file(name: string, text: string): Promise<string> {
	await writeFile(join(folder, name), text);
	return join(folder, name);
}

test("a file's engine policy becomes a policy of its name", async () => {
	const own = await file("engine.mjs", `export const policy = { name: "lazy", plan: () => undefined };`);
	expect(await loadPolicies(own)).toMatchObject([{ name: "lazy", exempt: [] }]);
});

test("files that share a helper are loaded one after the other, as jiti hands out half-run modules", async () => {
	const helper = "await new Promise((done) => setTimeout(done, 1)); export const plan = () => undefined;";
	await file("helper.ts", `${helper} export const version: number = 1;`);
	const policyNamed = (name: string) =>
		file(
			`${name}.ts`,
			`import { plan } from "./helper.ts"; export const policy = { name: "${name}", plan };`,
		);
	const files = [await policyNamed("first"), await policyNamed("second")];
	const { loadPolicies: loadUnderJiti } = await createJiti(import.meta.url).import<{
		readonly loadPolicies: typeof loadPolicies;
	}>("./registry.ts");
	expect((await loadUnderJiti(files.join(","))).map(({ name }) => name)).toEqual(["first", "second"]);
});

test.each([
	["missing.ts", undefined],
	["broken.mjs", "export const = 1"],
	["empty.mjs", "export const policy = { name: 'no plan' };"],
])("%s is named with what is wrong", async (name, text) => {
	const path = text === undefined ? join(folder, name) : await file(name, text);
	await expect(loadPolicies(path)).rejects.toMatchObject({
		code: "bad-policy-file",
		message: expect.stringContaining(path),
	});
});
