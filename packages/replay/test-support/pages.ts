/** The content of a page of charts, parsed from its text. */
import { expect } from "vitest";
import type { Chart } from "../pages/chart.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

export function chartsOf(page: string): readonly Chart[] {
	return [...page.matchAll(/data-chart="([^"]*)"/g)].map(([, data = ""]) => JSON.parse(plain(data)));
}

function plain(text: string): string {
	return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? "");
}

export function scriptsOf(page: string): readonly string[] {
	return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script);
}

/** Elements are opened and closed in their order, and nothing reads as a missing value. */
export function expectBalanced(page: string) {
	const markup = page.replace(/<script>.*?<\/script>/gs, "");
	const open: string[] = [];
	for (const [, slash, name = ""] of markup.matchAll(/<(\/?)([a-zA-Z][\w]*)[^>]*>/g)) {
		if (["meta", "input", "br"].includes(name)) continue;
		if (slash === "") open.push(name);
		else expect(open.pop()).toBe(name);
	}
	expect(open).toEqual([]);
	expect(markup).not.toMatch(/NaN|Infinity|undefined/);
}

/** The text that a reader sees, in one line. */
export function textOf(page: string): string {
	const text = page.replace(/<(script|style)>.*?<\/\1>/gs, "").replace(/<[^>]*>/g, " ");
	return plain(text).replace(/\s+/g, " ");
}

/** The cells of the first table that has this heading, row by row. */
export function rowsOf(page: string, heading: string): readonly (readonly string[])[] {
	const table = [...page.matchAll(/<table>.*?<\/table>/gs)].find(([text]) =>
		text.includes(`<th>${heading}</th>`),
	);
	if (!table) throw new Error(`no table has the heading ${heading}`);
	const rows = [...table[0].matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1);
	return rows.map(([, row = ""]) =>
		[...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => plain(cell)),
	);
}
