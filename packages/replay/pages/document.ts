/**
 * Pages of HTML as text, with everything escaped that comes from outside: sections and tables. A page needs
 * nothing but itself: its style, its data and Chart.js are in it, and it may load nothing.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Text that is markup already. */
export interface Markup {
	readonly markup: string;
}

type Content = readonly (Markup | readonly Markup[])[];
type Child = Markup | string | number | readonly Child[];
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element; plain strings among its children are escaped, attributes without a value left out. */
export function element(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
	const pairs = Object.entries(attributes).flatMap(([key, value]) =>
		value === undefined ? [] : ` ${key}="${escapeText(String(value))}"`,
	);
	const open = `<${name}${pairs.join("")}>`;
	return { markup: EMPTY.has(name) ? open : `${open}${toText(children)}</${name}>` };
}

const EMPTY = new Set(["meta", "br"]);

function toText(child: Child): string {
	if (typeof child === "string") return escapeText(child);
	if (typeof child === "number") return String(child);
	return "markup" in child ? child.markup : child.map(toText).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeText(text: string): string {
	return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

const style = readFileSync(new URL("./style.css", import.meta.url), "utf8");
const client = readFileSync(new URL("./chart-client.js", import.meta.url), "utf8");

/** The page with its title as heading. Other scripts cannot run, whatever a session calls its files. */
export function formatDocument(title: string, ...content: Content): string {
	const hasCharts = content.flat().some(({ markup }) => markup.includes("data-chart="));
	const scripts = hasCharts ? [chartLibrary(), client] : [];
	const head = element(
		"head",
		{},
		element("meta", { charset: "utf-8" }),
		element("meta", { "http-equiv": "Content-Security-Policy", content: policyFor(scripts) }),
		element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
		element("title", {}, title),
		element("style", {}, { markup: style }),
	);
	const tail = scripts.map((script) => element("script", {}, { markup: script }));
	const body = element("body", {}, element("h1", {}, title), content, tail);
	return `<!doctype html>\n${element("html", { lang: "en" }, head, body).markup}\n`;
}

/** Nothing is loaded from anywhere, and of the scripts only these run. */
function policyFor(scripts: readonly string[]): string {
	const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
	return `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes.join(" ") || "'none'"}`;
}

/** Chart.js in one file, which a build takes into the package. */
function chartLibrary(): string {
	// The path is spelled out in this form because build.ts looks for it.
	return readFileSync(
		new URL("../../../node_modules/chart.js/dist/chart.umd.min.js", import.meta.url),
		"utf8",
	);
}

export function section(title: string, text: string, ...content: Content): readonly Markup[] {
	return [element("h2", {}, title), element("p", {}, text), ...content.flat()];
}

/**
 * `limits`: sentences on the meaning of the figures and on their limits, printed below the table. `isWordy`: the last column
 * holds sentences. A narrow screen shows each row as a block, in which each figure has its own heading.
 */
export function drawTable(
	head: readonly string[],
	rows: readonly (readonly string[])[],
	limits: readonly string[] = [],
	isWordy = false,
): readonly Markup[] {
	const cell = (text: string, at: number) => {
		// A name says what it is, a number does not.
		const title = at === 0 && !/^\d+$/.test(text) ? undefined : head[at];
		return element("td", { "data-head": title }, text);
	};
	const names = head.map((name) => element("th", {}, name));
	const body = rows.map((row) => element("tr", {}, row.map(cell)));
	const table = element(
		"table",
		{},
		element("thead", {}, element("tr", {}, names)),
		element("tbody", {}, body),
	);
	const scroll = element("div", { class: isWordy ? "scroll wordy" : "scroll" }, table);
	return limits.length === 0 ? [scroll] : [scroll, element("p", { class: "limits" }, limits.join(" "))];
}
