import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatClaims } from "./claims.ts";
import { fingerprintEngine } from "./engine.ts";
import { type KeptFile, readKept } from "./kept.ts";
import { pages, renderPage } from "./pages.ts";

const HOW =
	"a table differs from its kept figures, or the engine decides differently: npm run bench -- tables --only none";

test("each table is made of kept figures, and says so when the engine has changed since", async () => {
	const engine = await fingerprintEngine();
	for (const [path, tables] of Object.entries(pages)) {
		const page = await readFile(join(import.meta.dirname, "../..", path), "utf8");
		expect(page, HOW).toBe(await renderPage(page, tables, engine));
	}
});

test("the page of claims is what the kept figures make: no figure is typed", async () => {
	const page = await readFile(join(import.meta.dirname, "../../docs/claims.md"), "utf8");
	expect(page).toBe(await formatClaims());
});

test("a verdict follows from the figures", async () => {
	const page = (chunks: number) =>
		formatClaims(async (name): Promise<KeptFile<unknown>> => {
			const kept = await readKept<unknown>(name);
			const tokens = { "chunked reads": chunks, "glob, grep and read": 10, "whole files": 90 };
			const ways = Object.entries({ ...tokens, "shell grep and find": 20 });
			const bare = ways.map(([way, tokens]) => ({ way, tokens }));
			return name === "search" ? { ...kept, figures: { bare } } : kept;
		});
	expect(await page(30)).toMatch(/3\.0 times against reads .* \| reproduced \| search \|/);
	expect(await page(29)).toMatch(/2\.9 times against reads .* \| contradicted \| search \|/);
});
