/** The shared parts of all pictures: the colors of GitHub's own light and dark pages, fonts, and a frame. */
import type { Tone } from "#pi";

type Palette = Readonly<Record<Tone | "page", string>>;

const light: Palette = {
	page: "#f6f8fa",
	plain: "#1f2328",
	strong: "#1f2328",
	dim: "#6a737d",
	green: "#1a7f37",
	yellow: "#9a6700",
	orange: "#bc4c00",
	red: "#d1242f",
	blue: "#0969da",
	cyan: "#1b7c83",
	magenta: "#bf3989",
	violet: "#8250df",
};
const dark: Palette = {
	page: "#151b23",
	plain: "#d1d7e0",
	strong: "#f0f6fc",
	dim: "#8b949e",
	green: "#3fb950",
	yellow: "#d29922",
	orange: "#f0883e",
	red: "#f85149",
	blue: "#58a6ff",
	cyan: "#39c5cf",
	magenta: "#f778ba",
	violet: "#bc8cff",
};

export interface Picture {
	/** Pixels. */
	readonly width: number;
	readonly height: number;
	/** For readers who cannot see it. */
	readonly label: string;
	readonly style: readonly string[];
	readonly content: readonly string[];
}

/** A whole SVG document. */
export function drawPicture({ width, height, label, style, content }: Picture): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-label="${escapeText(label)}">`,
		`<style>`,
		...style,
		colors(light),
		`@media (prefers-color-scheme: dark) {\n${colors(dark)}\n}`,
		`</style>`,
		`<rect class="page" width="100%" height="100%" rx="10"/>`,
		...content,
		`</svg>`,
		"",
	].join("\n");
}

function colors(palette: Palette): string {
	return Object.entries(palette)
		.map(([name, color]) => `.${name} { fill: ${color} } .line.${name} { fill: none; stroke: ${color} }`)
		.join("\n");
}

export function round(pixels: number): number {
	return Math.round(pixels * 10) / 10;
}

export function escapeText(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
