import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { claims } from "./claims.ts";
import { formatClaims } from "./command.ts";
import { readKept } from "./sources.ts";

test("the page is what the kept figures make: no figure is typed", async () => {
	const page = await readFile(fileURLToPath(new URL("../../docs/claims.md", import.meta.url)), "utf8");
	expect(page).toBe(formatClaims(await readKept()));
});

test("without figures every claim that a run tests is open, and only those", () => {
	const page = formatClaims({});
	const open = page.split("\n").filter((line) => line.includes("| not measured yet | open |"));
	expect(open).toHaveLength(claims.filter(({ source }) => source !== undefined).length);
});

test("a verdict follows from the figures", async () => {
	const { search } = await readKept();
	if (!search) throw new Error("no figures of the search");
	const answer = (way: string, tokens: number) => {
		const effort = { calls: 1, steps: 1, tokens };
		return { way, type: "uses", about: "x", isAnswered: true, ...effort } as const;
	};
	const page = (chunks: number) => {
		const bare = [answer("chunked reads", chunks), answer("glob, grep and read", 10)];
		return formatClaims({ search: { ...search, figures: { bare, files: 1 } } });
	};
	expect(page(30)).toMatch(/3\.0 times against reads .* \| reproduced \| search \|/);
	expect(page(29)).toMatch(/2\.9 times against reads .* \| contradicted \| search \|/);
});
