/** A page that needs nothing but itself: no script, no font, no image from elsewhere. */
import { readFileSync } from "node:fs";
import { element, type Markup, raw } from "./markup.ts";

/** The page with its title as heading; `rules` are style rules of its own after the common ones. */
export function formatDocument(
	title: string,
	rules: string,
	...content: readonly (Markup | readonly Markup[])[]
): string {
	const style = `${readFileSync(new URL("./style.css", import.meta.url), "utf8")}${rules}`;
	const head = element(
		"head",
		{},
		element("meta", { charset: "utf-8" }),
		element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
		element("title", {}, title),
		element("style", {}, raw(style)),
	);
	const body = element("body", {}, element("h1", {}, title), content);
	return `<!doctype html>\n${element("html", { lang: "en" }, head, body).markup}\n`;
}
