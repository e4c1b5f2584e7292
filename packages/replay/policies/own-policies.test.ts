import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJiti } from "jiti";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadPolicies } from "./own-policies.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-own-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
	await writeFile(join(folder, name), text);
	return join(folder, name);
}

test("a policy from a file is listed with the built-in ones", async () => {
	const own = await file(
		"own.mjs",
		`export const contender = { name: "own", exempt: [],
			open: () => (messages) => ({ messages, pass: undefined, planMs: 0 }) };`,
	);
	const [none, loaded] = await loadPolicies(`none, ${own},none`);
	expect([none?.name, loaded?.name]).toEqual(["none", "own"]);
});

test("a file's engine policy becomes a contender of its name", async () => {
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
	}>("./own-policies.ts");
	expect((await loadUnderJiti(files.join(","))).map(({ name }) => name)).toEqual(["first", "second"]);
}, 60_000);

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
