import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { claims } from "./claims.ts";
import { readKept } from "./command.ts";
import { formatClaims } from "./page.ts";

function readPage(name: string): Promise<string> {
	return readFile(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), "utf8");
}

test("the page is what the kept figures make: no figure is typed", async () => {
	const kept = await readKept();
	expect(await readPage("claims.md")).toBe(formatClaims(kept));
});

test("without figures every claim that a run tests is open, and only those", () => {
	const page = formatClaims({});
	const open = page.split("\n").filter((line) => line.includes("| not measured yet | open |"));
	expect(open).toHaveLength(claims.filter(({ source }) => source !== undefined).length);
});

test("a verdict follows from the figures", () => {
	const machine = { cpu: "x", cores: 1, memory: 1, system: "x", node: "20" };
	const about = { version: 1, date: "2026-01-01", commit: "x", machine, command: "x" } as const;
	const prompt = (system: number) =>
		({
			...about,
			figures: {
				measured: [
					{ agent: "cwl", api: "responses", tools: 1, tokens: { system, tools: 5, total: system + 5 } },
				],
			},
		}) as const;
	expect(formatClaims({ prompt: prompt(999) })).toMatch(/999 o200k .* \| reproduced \| prompt \|/);
	expect(formatClaims({ prompt: prompt(1_000) })).toMatch(/1000 o200k .* \| contradicted \| prompt \|/);
});
