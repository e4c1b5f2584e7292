/** The parts of a page. */
import { element, type Markup } from "./markup.ts";

export function section(
	title: string,
	text: string,
	...content: readonly (Markup | readonly Markup[])[]
): readonly Markup[] {
	return [element("h2", {}, title), element("p", {}, text), ...content.flat()];
}

/** Figures, each with what it is. */
export function drawTileList(tiles: readonly (readonly [figure: string, what: string])[]): Markup {
	const items = tiles.map(([value, what]) => element("li", {}, element("strong", {}, value), what));
	return element("ul", { class: "tiles" }, items);
}
