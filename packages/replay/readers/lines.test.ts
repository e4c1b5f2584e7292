import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { fileError, type Line, readBytes, readFirstLines, readLines, readObjects } from "./lines.ts";
import { readSession } from "./registry.ts";

const folder = scratchFolder();

async function linesOf(text: string, limit?: number): Promise<readonly Line[]> {
	const path = join(folder, "lines");
	await writeFile(path, text);
	const lines: Line[] = [];
	for await (const line of readLines(path, limit)) lines.push(line);
	return lines;
}

test("only newlines end lines, and every line is found where it stands", async () => {
	const piece = fc.oneof(
		fc.constantFrom("\n", "\r", "\u2028", "\u2029", "\u0085", "é", "🦀", "{}"),
		fc.string({ minLength: 1, unit: "binary" }),
		fc.constant("long ".repeat(20_000)),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(piece), async (pieces) => {
			const text = pieces.join("");
			const expected = text.split("\n");
			const isEnded = expected.at(-1) === "";
			if (isEnded) expected.pop();
			const lines = await linesOf(text);
			expect(lines.map((line) => line.text)).toEqual(expected);
			expect(lines.map((line) => line.number)).toEqual(expected.map((_, i) => i + 1));
			const path = join(folder, "lines");
			const again = await Promise.all(lines.map(({ start, bytes }) => readBytes(path, start, bytes)));
			expect(again).toEqual(expected);
			expect(lines.every((line, i) => line.isEnded === (isEnded || i < lines.length - 1))).toBe(true);
		}),
		{ numRuns: 50 },
	);
});

test("a line beyond the limit is passed over and counted, and the first lines are those that hold something", async () => {
	const lines = await linesOf(`ab\n${"x".repeat(300_000)}\ncd\n`, 1_000);
	expect(lines.map(({ text }) => text)).toEqual(["ab", undefined, "cd"]);
	await linesOf("\n\na\n  \nb\nc\n");
	expect(await readFirstLines(join(folder, "lines"), 2)).toEqual(["a", "b"]);
});

test("what cannot be read is refused with its file", async () => {
	await expect(readSession(join(folder, "missing"))).rejects.toMatchObject({ code: "not-found" });
	await expect(readObjects(folder, () => {}).next()).rejects.toMatchObject({
		code: "not-readable",
		message: expect.stringContaining(folder),
	});
});

test.each([
	["ENOENT", "not-found", "check the path"],
	["EACCES", "not-readable", "make it readable or leave it out"],
	["EIO", "not-readable", "leave it out"],
])("%s names the place and the remedy, and a fault of the program is thrown on", (system, code, remedy) => {
	const error = fileError("/s/a.jsonl", Object.assign(new Error("x"), { code: system }));
	expect(error.code).toBe(code);
	expect(error.message).toMatch(/^\/s\/a\.jsonl: /);
	expect(error.message).toContain(remedy);
	const fault = new TypeError("x");
	expect(() => fileError("/s", fault)).toThrow(fault);
});
