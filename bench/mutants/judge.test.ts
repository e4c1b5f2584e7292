import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createJudge } from "./judge.ts";

/** A project of two independent files, each with a test. */
function makeProject(): string {
	const root = mkdtempSync(join(tmpdir(), "cwl-judge-"));
	onTestFinished(() => rmSync(root, { recursive: true, force: true }));
	writeFileSync(join(root, "package.json"), '{ "type": "module" }');
	writeFileSync(join(root, "vitest.config.ts"), "export default { test: { include: ['*.test.ts'] } };");
	for (const name of ["one", "two"]) {
		writeFileSync(join(root, `${name}.ts`), sound);
		const check = `import { expect, test } from "vitest";\nimport { value } from "./${name}.ts";\n`;
		writeFileSync(join(root, `${name}.test.ts`), `${check}test("value", () => expect(value()).toBe(1));\n`);
	}
	symlinkSync(resolve("node_modules"), join(root, "node_modules"));
	return root;
}

const sound = "export const value = () => 1;\n";

test("a fault is noticed while it is there, in any file", async () => {
	const root = makeProject();
	const { judge, close } = createJudge(root);
	onTestFinished(close);
	const verdictOn = (name: string) => judge({ paths: [`${name}.ts`], draws: 1 });
	const write = (name: string, source: string) => writeFileSync(join(root, `${name}.ts`), source);
	expect([await verdictOn("one"), await verdictOn("two")]).toEqual(["survived", "survived"]);
	write("one", sound.replace("1", "2"));
	expect([await verdictOn("one"), await verdictOn("two")]).toEqual(["killed", "survived"]);
	write("one", sound);
	write("two", sound.replace("1", "2"));
	expect([await verdictOn("one"), await verdictOn("two")]).toEqual(["survived", "killed"]);
	write("two", 'throw new Error("broken");');
	expect(await verdictOn("two")).toBe("killed");
	write("two", `${sound}// the same\n`);
	expect(await verdictOn("two")).toBe("survived");
}, 120_000);
