/** The head of the panel: how full the context is, and of what. */

import type { StateReport } from "../health/state-report.ts";
import { formatTokens } from "../settings/budget.ts";
import { type Component, components } from "../settings/component-limits.ts";
import { oneLine } from "./one-line.ts";
import { flow, type Line, type Span, span, spread, type Tone, widthOfLine } from "./spans.ts";

interface ComponentView {
	readonly name: string;
	readonly tokens: number;
	readonly share: number;
	/** The share of the budget above which an alert names it. */
	readonly limit: number | undefined;
	readonly tone: Tone;
}

/** No two share a color, and none has the color of a warning. */
const tones: Readonly<Record<Component, Tone>> = {
	system: "dim",
	tools: "blue",
	prologue: "plain",
	user: "magenta",
	expl: "cyan",
	act: "green",
	unannotated: "yellow",
	markers: "violet",
};

/** Components with anything in them, in the tokens of the provider like all of the panel. */
function componentsOf({ ledger, limits, pressure }: StateReport): readonly ComponentView[] {
	return components.flatMap((name) => {
		const tokens = (ledger[name] * pressure.used) / Math.max(1, ledger.total);
		if (tokens <= 0) return [];
		return [{ name, tokens, share: tokens / pressure.budget, limit: limits[name], tone: tones[name] }];
	});
}

/** The share, and the limit where it is passed. */
function shareOf({ share, limit = 1 }: ComponentView): Span {
	return share > limit ? span(`${percent(share)} of ${percent(limit)}!`, "orange") : span(percent(share));
}

/** Used and budget, and how long it will last. */
export function usageLine({ pressure, nextPass, scale, settings }: StateReport, width: number): Line {
	const { used, budget, level, zone, velocity, source } = pressure;
	const about = source === "estimated" ? "~" : "";
	const left = [
		span(`${about}${formatTokens(used)}`, zone),
		span(` of ${formatTokens(budget)} tokens `),
		span(`${Math.round(100 * level)}%`, zone),
	];
	const growth = velocity > 0 ? [[span(`+${formatTokens(velocity)} a turn`, "dim")]] : [];
	const wait = nextPass.dueIn > 0 ? `in ${formatTokens(scale * nextPass.dueIn)}` : "is due";
	const due = settings.enabled === "true" ? `next pass ${wait}` : "no pass while off";
	const outlook = [...growth, [span(due, "dim")]];
	const fitting = outlook.filter(
		(_, index) =>
			widthOfLine(left) + outlook.slice(index).reduce((sum, piece) => sum + widthOfLine(piece) + 3, 0) <=
			width,
	);
	return spread(left, flow(fitting, width, " · ")[0] ?? [], width);
}

/** The sentence that `/cwl plan` and `/cwl settings` have too; where it does not fit, without its reason, then without low water. */
export function reasonLine({ budgetReason }: StateReport, width: number): Line {
	const shorter = [/: [^:]*$/, /, evict down to .*$/].map((end) => `budget ${budgetReason.replace(end, "")}`);
	return [span(oneLine([`budget ${budgetReason}`, ...shorter], width), "dim")];
}

/** One bar of `width` columns that is the budget, stacked by component; where the zones end is seen by what is left. */
export function stackLine(report: StateReport, width: number): Line {
	const spans: Span[] = [];
	let filled = 0;
	let upTo = 0;
	for (const { share, tone } of componentsOf(report)) {
		upTo += share;
		const end = Math.min(width, Math.round(upTo * width));
		if (end > filled) spans.push(span("█".repeat(end - filled), tone));
		filled = Math.max(filled, end);
	}
	return filled < width ? [...spans, span("░".repeat(width - filled), "dim")] : spans;
}

/** The legend of the bar's colors, with figures, over as many lines as it takes. */
export function legendLines(report: StateReport, width: number): readonly Line[] {
	const pieces = componentsOf(report).map((component) => [
		span("■ ", component.tone),
		span(`${component.name} `, "dim"),
		span(`${formatTokens(component.tokens)} `),
		shareOf(component),
	]);
	return flow(pieces, width, "  ");
}

/** A row for each component, with a bar of its own and its limit. */
export function componentRows(report: StateReport, width: number): readonly Line[] {
	const shown = componentsOf(report);
	const longest = Math.max(...shown.map(({ name }) => name.length), 0);
	const cells = Math.max(4, width - longest - 28);
	return shown.map((component) => {
		const { name, tokens, share, limit = 1, tone } = component;
		const isOver = share > limit;
		return [
			span(`${name.padEnd(longest)}  `, "dim"),
			...bar(share, cells, isOver ? "orange" : tone),
			span(formatTokens(tokens).padStart(7)),
			span(percent(share).padStart(6), isOver ? "orange" : "plain"),
			span(limit < 1 ? ` of ${percent(limit).padStart(3)}${isOver ? "!" : ""}` : "", "dim"),
		];
	});
}

/** A share of a whole as `cells` columns; what is more than nothing is seen. */
function bar(share: number, cells: number, tone: Tone): Line {
	const filled = Math.min(cells, share > 0 ? Math.max(1, Math.round(share * cells)) : 0);
	return [span("█".repeat(filled), tone), span("░".repeat(cells - filled), "dim")];
}

function percent(share: number): string {
	return share > 0 && share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}
