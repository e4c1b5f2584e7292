/** The history of passes in the panel: a timeline of what each kept, sent anew and took. */

import type { StateReport } from "../health/state-report.ts";
import { formatTokens } from "../settings/budget.ts";
import { countOf } from "./count-of.ts";
import { type Line, span, widthOfLine } from "./spans.ts";

type Pass = StateReport["passes"][number];

const MIN_BAR = 12;
const MAX_BAR = 48;

/** The newest `room` passes, the newest last; each a bar on the scale of the largest request, with its price next to it. */
export function passRows(report: StateReport, width: number, room: number): readonly Line[] {
	const { passes, scale, health } = report;
	if (passes.length === 0) return [[span("No pass yet: nothing has left the context.", "dim")]];
	const first = Math.max(0, passes.length - room);
	const shown = passes.slice(first);
	const widest = Math.max(...shown.map(({ before }) => before));
	const labels = shown.map((pass, index) => [
		span(`#${first + index + 1}`.padStart(4), "strong"),
		span(`${formatTokens(scale * pass.before).padStart(6)} → ${formatTokens(scale * pass.after).padEnd(5)}`),
	]);
	const beside = Math.max(...labels.map(widthOfLine)) + 2;
	const price = (detail: number) =>
		shown.map((pass, index) => {
			const regretted = health.regret.passes[first + index]?.regretted ?? 0;
			return priceOf(pass, scale, regretted, detail);
		});
	const roomBeside = (lines: readonly Line[]) => width - beside - Math.max(...lines.map(widthOfLine));
	// Where there is no room for all, the bar says more than when a pass pays, and than what was read again.
	const [all, short, shortest] = [price(2), price(1), price(0)];
	const prices = [all, short].find((lines) => roomBeside(lines) >= MIN_BAR) ?? shortest;
	const cells = Math.min(MAX_BAR, roomBeside(prices));
	return shown.map((pass, index) => [
		...(labels[index] ?? []),
		...(cells < MIN_BAR ? [] : [span(" "), ...timeline(pass, widest, cells)]),
		span(" "),
		...(prices[index] ?? []),
	]);
}

/** The legend of the bars' marks. */
export const passLegend: Line = [
	span("█", "green"),
	span(" kept  ", "dim"),
	span("▓", "orange"),
	span(" sent anew  ", "dim"),
	span("░", "dim"),
	span(" taken", "dim"),
];

/** The prefix that stayed, what stood behind the break, and what went. */
function timeline({ before, after, decision }: Pass, widest: number, cells: number): Line {
	const cell = (tokens: number) => Math.round((cells * tokens) / widest);
	const anew = Math.min(after, decision?.rewritten ?? 0);
	const kept = cell(after - anew);
	const sent = Math.max(kept, cell(after));
	const taken = Math.max(sent, cell(before));
	return [
		span("█".repeat(kept), "green"),
		span("▓".repeat(sent - kept), "orange"),
		span("░".repeat(taken - sent), "dim"),
		span(" ".repeat(cells - taken)),
	];
}

/** Saving and cost; with more `detail`, what was read again, and when it pays. */
function priceOf(pass: Pass, scale: number, regretted: number, detail: number): Line {
	const { before, after, decision, policy } = pass;
	const size = (tokens: number) => formatTokens(scale * tokens);
	const saved = [span(`-${size(before - after)}`.padStart(6), "green")];
	const cost = decision
		? [span(` for ${size(decision.rewritten)} anew`, decision.rewritten > 0 ? "orange" : "dim")]
		: [span(` ${policy}`, "dim")];
	const back =
		detail < 2 || decision?.paidBackAfter === undefined
			? []
			: [span(`, pays after ${countOf(Math.ceil(decision.paidBackAfter), "turn")}`, "dim")];
	const again = detail > 0 && regretted > 0 ? [span(`, ${size(regretted)} read again`, "yellow")] : [];
	return [...saved, ...cost, ...back, ...again];
}
