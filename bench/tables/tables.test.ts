import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fingerprintEngine } from "./engine.ts";
import { pages, renderPage } from "./pages.ts";

const HOW =
	"a table differs from its kept figures, or the engine decides differently: npm run bench -- tables --only none";

test("each table is made of kept figures, and says so when the engine has changed since", async () => {
	const engine = await fingerprintEngine();
	for (const [path, tables] of Object.entries(pages)) {
		const page = await readFile(join(import.meta.dirname, "../..", path), "utf8");
		expect(page, HOW).toBe(await renderPage(page, tables, engine));
	}
}, 180_000);
