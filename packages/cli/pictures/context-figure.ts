/** Before and after in one figure: the tokens of each request of a session, without eviction and with cwl. */
import { countOf, formatTokens } from "#pi";
import { drawPicture, escapeText, round } from "./svg.ts";

export interface ContextFigure {
	/** Tokens of each request. */
	readonly without: readonly number[];
	readonly cwl: readonly number[];
	/** Tokens. */
	readonly budget: number;
	readonly tasks: number;
}

/** Pixels. */
const SIZE = { width: 840, height: 340 };
const AREA = { left: 64, right: 824, top: 52, bottom: 296 };

/** A whole SVG document. */
export function drawContexts({ without, cwl, budget, tasks }: ContextFigure): string {
	const [peak, before] = [cwl, without].map((sizes) => formatTokens(Math.max(0, ...sizes)));
	const verdict = `${countOf(tasks, "task")} in one session: at most ${peak} tokens a request with cwl, ${before} without`;
	const requests = Math.max(2, without.length, cwl.length);
	const most = Math.max(budget, ...without, ...cwl) * 1.15;
	const x = (request: number) => AREA.left + ((AREA.right - AREA.left) * request) / (requests - 1);
	const y = (tokens: number) => AREA.bottom - ((AREA.bottom - AREA.top) * tokens) / most;
	const points = (sizes: readonly number[]) =>
		sizes.map((size, request) => `${round(x(request))},${round(y(size))}`).join(" ");
	const area = (sizes: readonly number[], tone: string, opacity: number) =>
		`<polygon class="${tone}" opacity="${opacity}" points="${round(x(0))},${AREA.bottom} ${points(sizes)} ${round(x(sizes.length - 1))},${AREA.bottom}"/>`;
	const line = (sizes: readonly number[], tone: string) =>
		`<polyline class="line ${tone}" stroke-width="2.5" points="${points(sizes)}"/>`;
	const ticks = ticksUpTo(most).flatMap((tokens) => [
		`<line class="line dim" stroke-width="1" opacity="0.25" x1="${AREA.left}" x2="${AREA.right}" y1="${round(y(tokens))}" y2="${round(y(tokens))}"/>`,
		text(AREA.left - 8, y(tokens) + 5, "dim", formatTokens(tokens), "end"),
	]);
	const last = (sizes: readonly number[]) => sizes.at(-1) ?? 0;
	return drawPicture({
		...SIZE,
		label: verdict,
		style: [
			`text { font: 15px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }`,
			`.title { font-weight: 600 }`,
		],
		content: [
			text(AREA.left, 30, "strong title", verdict, "start"),
			...ticks,
			area(without, "orange", 0.18),
			area(cwl, "green", 0.3),
			`<line class="line red" stroke-width="1.5" stroke-dasharray="6 5" x1="${AREA.left}" x2="${AREA.right}" y1="${round(y(budget))}" y2="${round(y(budget))}"/>`,
			line(without, "orange"),
			line(cwl, "green"),
			text(AREA.left + 8, y(budget) - 8, "red", `budget ${formatTokens(budget)}`, "start"),
			text(AREA.right, y(last(without)) - 10, "orange title", "without eviction", "end"),
			text(AREA.right - 10, AREA.bottom - 14, "green title", "with cwl", "end"),
			text(
				(AREA.left + AREA.right) / 2,
				SIZE.height - 14,
				"dim",
				`tokens of each of ${countOf(without.length, "request")}, from the first to the last`,
				"middle",
			),
		],
	});
}

function text(
	x: number,
	y: number,
	className: string,
	words: string,
	anchor: "start" | "middle" | "end",
): string {
	return `<text class="${className}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(words)}</text>`;
}

/** Four to eight round numbers. */
function ticksUpTo(most: number): readonly number[] {
	const rough = most / 5;
	const decade = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((factor) => factor * decade).find((size) => size >= rough) ?? rough;
	return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}
