/** Elements of HTML and SVG as text, with everything escaped that comes from outside. */

/** Text that is markup already. */
export interface Markup {
	readonly markup: string;
}

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

/** Markup that somebody else made. */
export function raw(markup: string): Markup {
	return { markup };
}

const EMPTY = new Set(["meta", "input", "br"]);

function toText(child: Child): string {
	if (typeof child === "string") return escapeText(child);
	if (typeof child === "number") return String(child);
	return "markup" in child ? child.markup : child.map(toText).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeText(text: string): string {
	return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
