/** The parts of a page. */
import { element, type Markup } from "./markup.ts";

export function section(
	title: string,
	text: string,
	...content: readonly (Markup | readonly Markup[])[]
): readonly Markup[] {
	return [element("h2", {}, title), element("p", {}, text), ...content.flat()];
}

/** A drawing, and under it what it cannot show. */
export function figure(drawing: Markup, ...limits: readonly string[]): readonly Markup[] {
	const text = limits.length > 0 ? [element("p", { class: "limits" }, limits.join(" "))] : [];
	return [element("figure", {}, drawing), ...text];
}
