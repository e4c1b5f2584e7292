import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "#pi/codec";
import { createRepository, createScratch, setVariable, writeTree } from "../test-support/scratch.ts";
import { formatGrepResult, type GrepRequest, grep } from "./grep.ts";
import examples from "./grep-examples.json" with { type: "json" };

const count = await loadTokenCounter();
const search = (request: GrepRequest, cwd: string) => grep(request, { cwd });
const show = async (request: GrepRequest, cwd: string) => formatGrepResult(await search(request, cwd), count);

const word = fc.string({
	unit: fc.constantFrom("a", "b", "é", "😀", " ", "\t", "\r", "\u2028", "-"),
	maxLength: 6,
});
const text = fc
	.array(fc.oneof({ weight: 3, arbitrary: word }, fc.constantFrom("\n", "\r\n")), { maxLength: 14 })
	.map((parts) => parts.join(""));

it("finds the lines that hold a text, with the lines around them, up to the limit", async () => {
	const request = fc.record({
		pattern: fc.constantFrom("a", "ab", "é", "😀", "-", " "),
		context: fc.integer({ min: 0, max: 3 }),
		limit: fc.integer({ min: 1, max: 6 }),
	});
	const texts = fc.array(text, { minLength: 1, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(texts, request, async (files, wanted) => {
			const cwd = createScratch(Object.fromEntries(files.map((content, at) => [`f${at}`, content])));
			const found = await search({ ...wanted, literal: true }, cwd);
			expect(found.files).toEqual(searchSlowly(files, wanted));
		}),
		{ numRuns: 60 },
	);
});

/** The same answer by splitting every file into lines. */
function searchSlowly(files: readonly string[], wanted: { pattern: string; context: number; limit: number }) {
	let left = wanted.limit;
	return files.flatMap((content, at) => {
		const lines = content.split("\n").map((line) => line.replace(/\r$/, ""));
		if (lines.at(-1) === "" && !content.endsWith("\r")) lines.pop();
		const hits = lines.flatMap((line, index) => (line.includes(wanted.pattern) ? [index] : []));
		const kept = hits.slice(0, left);
		const next = hits[left] ?? Number.POSITIVE_INFINITY;
		left = Math.max(0, left - hits.length);
		const shown = lines.flatMap((line, index) => {
			const isNear = kept.some((hit) => Math.abs(hit - index) <= wanted.context);
			if (!isNear || index >= next) return [];
			return [{ type: kept.includes(index) ? "match" : "context", number: index + 1, text: line }];
		});
		return hits.length === 0 ? [] : [{ path: `f${at}`, count: hits.length, lines: shown }];
	});
}

describe("grep", () => {
	it.each(examples)("$does", async ({ files, request, shown }) => {
		expect(await show(request as GrepRequest, createRepository(Object.fromEntries(files)))).toBe(shown);
	});

	it("keeps to 5,000 tokens, whatever the text is, and cuts long lines around the match", async () => {
		const cwd = createScratch();
		for (const filler of ["-+", "漢字", "ﷺ", "\u{1F9EC}"]) {
			const line = `${filler.repeat(2000)}needle${filler.repeat(2000)}`;
			writeTree(cwd, { a: `${line}\n`.repeat(100) });
			const text = await show({ pattern: "needle" }, cwd);
			expect(count(text)).toBeLessThan(5050);
			expect(text).toMatch(/^1: …[^\n]{1,200}needle[^\n]{1,400}…$/mu);
		}
		const text = await show({ pattern: "needle" }, cwd);
		expect(text).toContain("of 100 matching lines");
	});

	it("passes over binary files, links, pipes and devices", async () => {
		const cwd = createScratch({ "a.bin": "needle\0", "b.txt": "needle" });
		symlinkSync("b.txt", join(cwd, "link"));
		symlinkSync(".", join(cwd, "loop"));
		execFileSync("mkfifo", [join(cwd, "pipe")]);
		expect(await show({ pattern: "needle", mode: "files" }, cwd)).toBe("b.txt");
		await expect(search({ pattern: "x", path: "a.bin" }, cwd)).rejects.toThrow(/is a binary file/);
		await expect(search({ pattern: "x", path: "pipe" }, cwd)).rejects.toMatchObject({ code: "bad-argument" });
		await expect(search({ pattern: "x", path: "/dev/zero" }, cwd)).rejects.toMatchObject({
			code: "bad-argument",
		});
		expect(await show({ pattern: "needle", path: "link" }, cwd)).toBe("link\n1: needle");
	});

	it("reads UTF-16 that says so by its mark, a NUL that comes late, and bytes that are no UTF-8", async () => {
		const cwd = createScratch();
		const text = "\uFEFFone\n漢 needle\n";
		writeTree(cwd, {
			"big-endian": Buffer.from(text, "utf16le").swap16(),
			"little-endian": Buffer.from(text, "utf16le"),
			latin1: Buffer.from("\xe9needle\x1b", "latin1"),
			late: `needle\n${"x".repeat(9000)}\0\n`,
		});
		expect(await show({ pattern: "needle" }, cwd)).toBe(
			"big-endian\n2: 漢 needle\n\nlate\n1: needle\n\nlatin1\n1: \uFFFDneedle\uFFFD\n\nlittle-endian\n2: 漢 needle",
		);
		expect(await show({ pattern: "^.+ needle$", glob: "*-endian", mode: "count" }, cwd)).toBe(
			"big-endian: 1\nlittle-endian: 1",
		);
	});

	it("counts files that are too large and says so when one is named", async () => {
		const cwd = createScratch({ huge: "", small: "x" });
		truncateSync(join(cwd, "huge"), 2 ** 31);
		expect(await show({ pattern: "x" }, cwd)).toBe("small\n1: x\n(1 file larger than 16 MiB skipped)");
		await expect(search({ pattern: "x", path: "huge" }, cwd)).rejects.toThrow(/larger than 16 MiB/);
	});

	it("stops when it is cancelled", async () => {
		const cwd = createScratch({ evil: `${"a".repeat(50_000)}!` });
		const controller = new AbortController();
		const context = { cwd, signal: controller.signal };
		const running = grep({ pattern: "(.*)*(.*)*(.*)*(.*)*(a+)+z" }, context);
		controller.abort();
		await expect(running).rejects.toMatchObject({ code: "aborted" });
		await expect(grep({ pattern: "a" }, context)).rejects.toMatchObject({ code: "aborted" });
	});
});

it("never runs a program of the workspace", async () => {
	const cwd = createScratch();
	const script = "#!/bin/sh\ntouch ran\n";
	for (const program of ["rg", "git"]) {
		writeTree(cwd, { [program]: script });
		chmodSync(join(cwd, program), 0o755);
	}
	setVariable("PATH", `.:${process.env.PATH}`);
	await grep({ pattern: "touch" }, { cwd });
	expect(existsSync(join(cwd, "ran"))).toBe(false);
});

describe("a request that cannot be served", () => {
	it.each<[GrepRequest, string]>([
		[{ pattern: "(" }, "bad-pattern"],
		[{ pattern: "a\nb", literal: true }, "bad-pattern"],
		[{ pattern: "a", glob: "" }, "bad-pattern"],
		[{ pattern: "a", limit: 0 }, "bad-argument"],
		[{ pattern: "a", context: -1 }, "bad-argument"],
	])("%j is refused", async (request, code) => {
		await expect(grep(request, { cwd: createScratch() })).rejects.toMatchObject({
			name: "WorkspaceError",
			code,
		});
	});
});
