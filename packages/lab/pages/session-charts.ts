/** The charts of a session's report. */
import { formatTokens } from "#pi";
import type { RequestRow, SessionReport } from "../session-report/session-report.ts";
import { drawEpisodes } from "./episodes-chart.ts";
import { drawKey, drawLayers, type Layer } from "./layers-chart.ts";
import { drawLines } from "./lines-chart.ts";
import type { Markup } from "./markup.ts";
import { figure, section } from "./section.ts";
import { drawTable } from "./tables.ts";

const COMPONENTS: readonly (readonly [string, number, (row: RequestRow) => number])[] = [
	["system prompt and tools", 0, ({ ledger }) => ledger.system + ledger.tools],
	["prologue", 7, ({ ledger }) => ledger.prologue],
	["user turns", 1, ({ ledger }) => ledger.user],
	["expl", 3, ({ ledger }) => ledger.expl],
	["act", 2, ({ ledger }) => ledger.act],
	["unannotated", 5, ({ ledger }) => ledger.unannotated],
	["lines for what was evicted", 4, ({ ledger }) => ledger.markers],
];

export function drawContext({ requests, passes, budget }: SessionReport): readonly Markup[] {
	const layers = COMPONENTS.map(([name, colour, of]) => ({ name, colour, values: requests.map(of) }));
	const present = layers.filter(({ values }) => values.some((value) => value > 0));
	const marks = passes.flatMap(({ number, request, before, after }) =>
		request === null ? [] : [{ request, text: `pass ${number}: ${before} to ${after} tokens` }],
	);
	return section(
		"Context over time",
		"What each request was made of. The dashed line across is the budget, each dotted one a pass.",
		drawKey(present),
		figure(
			drawLayers(present, {
				summary: "Tokens of each request by component, with the passes",
				unit: "tokens",
				limit: { value: budget, name: "budget" },
				marks,
			}),
			"What pi's own compaction took is drawn as if it were still there; the next chart has what was really sent.",
		),
	);
}

/** Of what the request before had sent, less than this was read from the cache: a break. */
const WARM_SHARE = 0.5;
/** Shorter requests are not cached; in tokens. */
const MIN_CACHED = 2_048;

export function drawCache({ requests }: SessionReport): readonly Markup[] {
	if (requests.every(({ input }) => input === 0)) return [];
	const layers: readonly Layer[] = [
		{ name: "read from the cache", colour: 2, values: requests.map(({ cached }) => cached) },
		{
			name: "sent anew",
			colour: 1,
			values: requests.map(({ input, cached }) => Math.max(0, input - cached)),
		},
	];
	const breaks = requests.flatMap(({ cached, passes }, request) => {
		const before = requests[request - 1];
		if (!before || before.input < MIN_CACHED || cached >= WARM_SHARE * before.input) return [];
		const why = passes > before.passes ? "a pass cut the prefix" : "the provider had let it go";
		return [{ request, text: `request ${request}: ${why}` }];
	});
	return section(
		"Cache",
		`Input of each request as the provider reported it. ${breaks.length} ${breaks.length === 1 ? "request" : "requests"} (dotted) read less than half of the one before.`,
		drawKey(layers),
		figure(
			drawLayers(layers, {
				summary: "Input tokens of each request, cached and not",
				unit: "input tokens",
				marks: breaks,
			}),
		),
	);
}

const ARM_COLOURS = [2, 0, 3];

export function drawCosts({ costs: { unit, arms } }: SessionReport): readonly Markup[] {
	if (arms.length === 0) return [];
	const isMoney = unit.startsWith("dollars");
	const label = (value: number) => (isMoney ? `$${value.toFixed(value < 1 ? 3 : 2)}` : formatTokens(value));
	const lines = arms.map(({ name, cumulative }, index) => ({
		...{ name, colour: ARM_COLOURS[index] ?? 5, values: cumulative },
	}));
	const rows = arms.map(({ name, total, largest }) => [name, label(total), formatTokens(largest)]);
	const limits = [
		"As it went is what the provider reported. The others are replays of the same steps with our own counts and a cache",
		"that never expires; a request larger than the model's window is priced all the same.",
	];
	return section(
		"Cost",
		`What all requests up to each one came to, in ${unit}.`,
		drawKey(lines),
		figure(drawLines(lines, { summary: "Cost up to each request", unit: isMoney ? "dollars" : unit, label })),
		drawTable({ title: [], head: ["", "cost", "largest request"], rows, limits }),
	);
}

export function drawGraph({ episodes, requests }: SessionReport): readonly Markup[] {
	if (episodes.length === 0) return [];
	const { drawing, left } = drawEpisodes(episodes, requests.length);
	const key = [
		{ name: "expl", colour: 3 },
		{ name: "act", colour: 2 },
		{ name: "inferred", colour: 0 },
	];
	const more = left === 0 ? "" : ` ${left} small ones are left out.`;
	return section(
		"Episodes",
		`Each bar is an episode from its first request to its last, filled as far as it is still in the context; curves lead from what was found out to what was done with it.${more}`,
		drawKey(key),
		figure(drawing),
	);
}
