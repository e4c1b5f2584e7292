/** The head of the panel: how full the context is, and of what. */
import { formatTokens } from "../budget.ts";
import type { StateReport } from "../state-report.ts";
import { flow, type Line, type Span, span, spread, type Tone, widthOfLine } from "./spans.ts";

interface Component {
	readonly name: string;
	readonly tokens: number;
	readonly share: number;
	readonly tone: Tone;
}

const tones: Readonly<Record<string, Tone>> = {
	system: "dim",
	tools: "blue",
	prologue: "magenta",
	user: "magenta",
	expl: "cyan",
	act: "green",
	unannotated: "yellow",
	markers: "dim",
};

/** Components with anything in them, in the tokens of the provider like all of the panel. */
function componentsOf({ ledger, pressure }: StateReport): readonly Component[] {
	const { total, ...parts } = ledger;
	return Object.entries(parts).flatMap(([name, counted]) => {
		if (counted <= 0) return [];
		const tokens = (counted * pressure.used) / total;
		return [{ name, tokens, share: tokens / pressure.budget, tone: tones[name] ?? "plain" }];
	});
}

/** Used and budget, and how long it will last. */
export function usageLine({ pressure, nextPass, scale }: StateReport, width: number): Line {
	const { used, budget, level, zone, velocity, source } = pressure;
	const about = source === "estimated" ? "~" : "";
	const left = [
		span(`${about}${formatTokens(used)}`, zone),
		span(` of ${formatTokens(budget)} tokens `),
		span(`${Math.round(100 * level)}%`, zone),
	];
	const growth = velocity > 0 ? [[span(`+${formatTokens(velocity)} a turn`, "dim")]] : [];
	const due =
		nextPass.dueIn > 0 ? `next pass in ${formatTokens(scale * nextPass.dueIn)}` : "next pass is due";
	const outlook = [...growth, [span(due, "dim")]];
	const fitting = outlook.filter(
		(_, index) =>
			widthOfLine(left) + outlook.slice(index).reduce((sum, piece) => sum + widthOfLine(piece) + 3, 0) <=
			width,
	);
	return spread(left, flow(fitting, width, " · ")[0] ?? [], width);
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

/** What the colours of the bar stand for, with figures, over as many lines as it takes. */
export function legendLines(report: StateReport, width: number): readonly Line[] {
	const pieces = componentsOf(report).map(({ name, tokens, share, tone }) => [
		span("■ ", tone),
		span(`${name} `, "dim"),
		span(`${formatTokens(tokens)} ${percent(share)}`),
	]);
	return flow(pieces, width, "  ");
}

/** A row for each component, with a bar of its own. */
export function componentRows(report: StateReport, width: number): readonly Line[] {
	const components = componentsOf(report);
	const name = Math.max(...components.map((component) => component.name.length), 0);
	const cells = Math.max(4, width - name - 16);
	return components.map(({ name: own, tokens, share, tone }) => [
		span(`${own.padEnd(name)}  `, "dim"),
		...bar(share, cells, tone),
		span(`${formatTokens(tokens).padStart(7)}`),
		span(percent(share).padStart(6), "dim"),
	]);
}

/** A share of a whole as `cells` columns; what is more than nothing is seen. */
function bar(share: number, cells: number, tone: Tone): Line {
	const filled = Math.min(cells, share > 0 ? Math.max(1, Math.round(share * cells)) : 0);
	return [span("█".repeat(filled), tone), span("░".repeat(cells - filled), "dim")];
}

function percent(share: number): string {
	return share > 0 && share < 0.01 ? "<1%" : `${Math.round(100 * share)}%`;
}
