import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatClaims } from "./command.ts";
import { readResults } from "./figures.ts";

test("the page is what the kept figures make: no figure is typed", async () => {
	const page = await readFile(join(import.meta.dirname, "../../docs/claims.md"), "utf8");
	expect(page).toBe(await formatClaims(await readResults()));
});

test("a verdict follows from the figures", async () => {
	const results = await readResults();
	const answer = (way: string, tokens: number) => {
		const effort = { calls: 1, steps: 1, tokens };
		return { way, type: "uses", about: "x", isAnswered: true, ...effort } as const;
	};
	const page = (chunks: number) => {
		const bare = [answer("chunked reads", chunks), answer("glob, grep and read", 10)];
		return formatClaims({ ...results, search: { ...results.search, figures: { bare, files: 1 } } });
	};
	expect(await page(30)).toMatch(/3\.0 times against reads .* \| reproduced \| search \|/);
	expect(await page(29)).toMatch(/2\.9 times against reads .* \| contradicted \| search \|/);
});
