/** The figure of a sweep: solved tasks by budget as in the paper's figure 2, modeled time by cost, and edits kept by cost. */
import type { Tone } from "#pi";
import { formatTokens } from "#pi";
import { drawPicture, escapeText, round } from "../../packages/cli/pictures/picture.ts";
import type { SweepFigures, TaskPoint } from "./figures.ts";

interface Mark {
	readonly x: number;
	readonly y: number;
	readonly label: string;
}

interface Series {
	readonly name: string;
	readonly marks: readonly Mark[];
}

interface Panel {
	readonly title: string;
	readonly xTitle: string;
	readonly xText: (value: number) => string;
	readonly yText: (value: number) => string;
	readonly series: readonly Series[];
}

const tones: Readonly<Record<string, Tone>> = {
	none: "orange",
	isolated: "dim",
	compaction: "violet",
	paper: "red",
	cwl: "green",
	"cwl-economy": "blue",
};

/** Pixels. */
const WIDTH = 1_140;
const PANEL = { width: 380, left: 52, right: 368, top: 58, bottom: 330 };
const HEIGHT = 400;

/** A whole SVG document. */
export function drawSweep(figures: SweepFigures): string {
	const panels = panelsOf(figures);
	const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
	return drawPicture({
		...{ width: WIDTH, height: HEIGHT },
		label: panels.map(({ title }) => title).join("; "),
		style: [
			`text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }`,
			".title { font-weight: 600; font-size: 14px }",
		],
		content: [
			...panels.flatMap((panel, index) => [
				`<g transform="translate(${index * PANEL.width} 0)">`,
				...drawPanel(panel),
				"</g>",
			]),
			...names.map((name, index) =>
				text(PANEL.left + 150 * index, HEIGHT - 14, `${toneOf(name)} title`, `\u25cf ${name}`),
			),
		],
	});
}

function panelsOf({ tasks, sessions }: SweepFigures): readonly Panel[] {
	const hard = tasks.filter(({ difficulty }) => difficulty === "hard");
	const normal = tasks.filter(({ difficulty }) => difficulty === "normal");
	const solvedOf = hard.length > 0 ? hard : normal;
	const budgets = [...solvedOf, ...normal].flatMap(({ budget }) => budget ?? []);
	const ends = [Math.min(...budgets), Math.max(...budgets)];
	return [
		{
			title: `solved of 89 ${hard.length > 0 ? "hard " : ""}tasks, by budget`,
			xTitle: "budget",
			xText: formatTokens,
			yText: (value) => value.toFixed(0),
			series: group(shownOf(solvedOf), ({ solved, budget }) =>
				// What no budget changes is a level line.
				(budget === null ? ends : [budget]).map((x) => ({ x, y: solved, label: "" })),
			),
		},
		{
			title: "modeled hours by cost, 89 tasks",
			xTitle: "dollars; labels are some budgets",
			xText: (value) => `$${value.toFixed(0)}`,
			yText: (value) => value.toFixed(1),
			series: group(shownOf(normal), ({ cost, modeledSeconds, budget }) =>
				modeledSeconds === null ? [] : [{ x: cost, y: modeledSeconds / 3_600, label: labelOf(budget) }],
			),
		},
		{
			title: "edits kept by cost, recorded sessions",
			xTitle: "cost as a share of no eviction; labels are some budgets",
			xText: (value) => `${(100 * value).toFixed(0)} %`,
			yText: (value) => `${(100 * value).toFixed(0)} %`,
			series: group(sessions.points, ({ costs: [cost = 0], editsKept, budget }) => [
				{ x: cost, y: editsKept, label: labelOf(budget) },
			]),
		},
	];
}

/** The rest is in the tables: more colors cannot be told apart. */
const shownOf = (points: readonly TaskPoint[]) => points.filter(({ policy }) => Object.hasOwn(tones, policy));

/** The budgets that the figure names; the others are the points between them. */
const NAMED = new Set([20_000, 80_000, 160_000]);

const labelOf = (budget: TaskPoint["budget"]) =>
	budget !== null && NAMED.has(budget) ? formatTokens(budget) : "";

function group<Point extends { readonly policy: string }>(
	points: readonly Point[],
	marksOf: (point: Point) => readonly Mark[],
): readonly Series[] {
	const names = [...new Set(points.map(({ policy }) => policy))];
	return names.map((name) => ({
		name,
		marks: points.filter(({ policy }) => policy === name).flatMap(marksOf),
	}));
}

function drawPanel({ title, xTitle, xText, yText, series }: Panel): readonly string[] {
	const marks = series.flatMap((each) => each.marks);
	const head = text(PANEL.left, 30, "strong title", title);
	if (marks.length === 0) return [head];
	const x = scale(
		marks.map((mark) => mark.x),
		PANEL.left,
		PANEL.right,
	);
	const y = scale(
		marks.map((mark) => mark.y),
		PANEL.bottom,
		PANEL.top,
	);
	return [
		head,
		...y.ticks.flatMap((tick) => [
			`<line class="line dim" opacity="0.25" x1="${PANEL.left}" x2="${PANEL.right}" y1="${round(y.at(tick))}" y2="${round(y.at(tick))}"/>`,
			text(PANEL.left - 6, y.at(tick) + 4, "dim", yText(tick), "end"),
		]),
		...x.ticks.map((tick) => text(x.at(tick), PANEL.bottom + 18, "dim", xText(tick), "middle")),
		text((PANEL.left + PANEL.right) / 2, PANEL.bottom + 38, "dim", xTitle, "middle"),
		...series.flatMap((each) => drawSeries(each, x.at, y.at)),
		...drawLabels(series, x.at, y.at),
	];
}

/** The size of a label, in units of the figure. */
const LABEL = { width: 34, height: 13 };

/** The label of each mark beside which there is still room. */
function drawLabels(series: readonly Series[], x: Scale["at"], y: Scale["at"]): readonly string[] {
	const drawn: { readonly left: number; readonly top: number }[] = [];
	const isFree = (left: number, top: number) =>
		drawn.every(
			(other) => Math.abs(other.left - left) > LABEL.width || Math.abs(other.top - top) > LABEL.height,
		);
	return series.flatMap(({ name, marks }) =>
		marks.flatMap((mark) => {
			const [left, top] = [x(mark.x) + 5, y(mark.y) - 6];
			if (mark.label === "" || !isFree(left, top)) return [];
			drawn.push({ left, top });
			return [text(left, top, toneOf(name), mark.label)];
		}),
	);
}

function drawSeries({ name, marks }: Series, x: Scale["at"], y: Scale["at"]): readonly string[] {
	const tone = toneOf(name);
	const points = marks.map((mark) => `${round(x(mark.x))},${round(y(mark.y))}`).join(" ");
	return [
		`<polyline class="line ${tone}" stroke-width="2" points="${points}"/>`,
		...marks.map(
			(mark) => `<circle class="${tone}" r="4" cx="${round(x(mark.x))}" cy="${round(y(mark.y))}"/>`,
		),
	];
}

const toneOf = (name: string): Tone => tones[name] ?? "cyan";

interface Scale {
	readonly at: (value: number) => number;
	readonly ticks: readonly number[];
}

const TICKS = 5;

/** From the smallest to the largest value, with room at both ends. */
function scale(values: readonly number[], from: number, to: number): Scale {
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const room = (high - low) * 0.06 || 1;
	const [start, end] = [low - room, high + room];
	return {
		at: (value) => from + ((to - from) * (value - start)) / (end - start),
		ticks: Array.from({ length: TICKS }, (_, index) => low + ((high - low) * index) / (TICKS - 1)),
	};
}

function text(x: number, y: number, className: string, words: string, anchor = "start"): string {
	return `<text class="${className}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(words)}</text>`;
}
