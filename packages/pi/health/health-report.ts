/** The health of a session as plain data, and in words. */
import { type ComponentState, fastestGrowing, type Health, type Marks } from "#core/health";
import { digestOf } from "#core/transcript";
import { countOf, formatTokens, percent } from "../screen/figures.ts";
import type { Fidelity } from "./fidelity.ts";
import { type Trend, type TurnMetrics, trendOf } from "./turns.ts";

/** In dollars, or in another unit where the model has no prices. */
export interface SessionCosts {
	readonly unit: string;
	readonly cwl: number;
	readonly compaction: number;
	readonly none: number;
	/** Requests of the session when it was replayed. */
	readonly requests: number;
}

/** Tokens are those that we count; shares lie between 0 and 1. */
export type HealthReport = ReturnType<typeof reportHealth>;

export function reportHealth(
	{ utilisation, eviction, compressionRatio, burn, bloat, regret, seams, thinking, marks }: Health,
	fidelity: Fidelity,
	turns: readonly TurnMetrics[] = [],
	components: readonly ComponentState[] = [],
	costs: SessionCosts | null = null,
) {
	const { tokens, share, largest, faded } = bloat;
	/** `path` is the file that a call was about; null where it names none. */
	const calls = regret.all.map(({ call, tokens: size, pass, times }) => {
		return { tool: call.tool, path: digestOf(call)?.paths[0] ?? null, tokens: size, pass, times };
	});
	return {
		/** Share of the budget that the next request uses. */
		utilisation,
		/** The evicted share of everything that the session ever held, and its tokens and items for each request. */
		evicted: eviction,
		/** Tokens of the stripped episodes for each that is left of them; null when nothing is left. */
		compressionRatio: Number.isFinite(compressionRatio) ? compressionRatio : null,
		burn,
		/** Results that the next request sends. `faded`: those that passes faded, and by how many tokens they are smaller. */
		toolResults: { tokens, share, largest: largest?.tokens ?? 0, ...(faded && { faded }) },
		fidelity,
		thinking,
		/** The costs of the session in its last replay; null where nobody has replayed it. */
		costs,
		/** The six metrics of the last turn; null before the first of this process. */
		lastTurn: turns.at(-1) ?? null,
		/** How the metrics moved; null for fewer than five turns. */
		trend: trendOf(turns) ?? null,
		/** The six components, and the one that grows fastest; null while none grows. */
		components,
		fastest: fastestGrowing(components),
		/** `share`: of what passes took, the part that was read again. */
		regret: { share: regret.share, passes: regret.passes, calls },
		/** Tokens of finished work that left when the next began, and how many of them were looked at again. */
		seams,
		/** How well the model marks its work; null in a session without marks. */
		marks: marks ?? null,
	};
}

export interface HealthRow {
	readonly metric: string;
	readonly value: string;
	readonly detail: string;
}

function fadedText({ faded }: HealthReport["toolResults"]): string {
	if (!faded) return "";
	const isOne = faded.outputs === 1;
	return `; ${countOf(faded.outputs, "output")} ${isOne ? "is" : "are"} faded, ${formatTokens(faded.tokens)} tokens smaller than whole`;
}

/** One row for each metric. */
export function describeHealth(health: HealthReport): readonly HealthRow[] {
	const { evicted, burn, toolResults, fidelity, thinking, regret, seams, compressionRatio } = health;
	const shareOf = (count: number) => (fidelity.facts === 0 ? 1 : count / fidelity.facts);
	const regretted = regret.passes.reduce((sum, pass) => sum + pass.regretted, 0);
	const rows: readonly (HealthRow | false | null)[] = [
		row("utilisation", percent(health.utilisation), "of the budget, in the next request"),
		row(
			"eviction",
			percent(evicted.share),
			`of the session is evicted, ${formatTokens(evicted.tokensPerRequest)} tokens a request`,
		),
		row(
			"compression",
			compressionRatio === null ? "all" : `${compressionRatio.toFixed(1)}:1`,
			"of the episodes that passes stripped",
		),
		row(
			"burn rate",
			formatTokens(burn.recent),
			`tokens a request of late, ${formatTokens(burn.before)} before${burn.isSpike ? ": a spike" : ""}`,
		),
		row(
			"tool results",
			percent(toolResults.share),
			`of the next request; the largest is ${formatTokens(toolResults.largest)} tokens${fadedText(toolResults)}`,
		),
		row(
			"in sight",
			percent(shareOf(fidelity.visible)),
			`of ${fidelity.facts} facts of evicted outputs that the model used are still in the next request`,
		),
		row(
			"recallable",
			fidelity.visible === fidelity.facts ? "-" : percent(shareOf(fidelity.named)),
			"of them left, and stand in an episode that the next request names: recall brings them back",
		),
		row(
			"thinking",
			thinking.all === 0 ? "-" : percent(thinking.readable / thinking.all),
			describeThinking(thinking),
		),
		row(
			"regret",
			percent(regret.share),
			`of what passes took was read again, ${formatTokens(regretted)} tokens in ${countOf(regret.calls.length, "call")}`,
		),
		seams.taken > 0 &&
			row(
				"seams",
				percent(seams.again / seams.taken),
				`of ${formatTokens(seams.taken)} tokens of finished work was looked at again after it left`,
			),
		health.marks && row("marks", percent(health.marks.share), describeMarks(health.marks)),
		health.costs && describeCosts(health.costs),
		health.trend && describeTrend(health.trend),
		...health.components.map((state) => describeComponent(state, state.component === health.fastest)),
	];
	return rows.filter((each) => each !== false && each !== null);
}

/** Counts of marks, and of those that contradict the work, in words. */
export function describeMarks(marks: Marks): string {
	const faults = [
		`${marks.open} open`,
		`${countOf(marks.actsWithoutDependencies, "act")} without dependencies`,
		`${countOf(marks.explsThatEdit, "expl")} with edits`,
		`${countOf(marks.actsThatOnlyRead, "act")} that only read`,
	];
	return `of the work is in ${countOf(marks.episodes, "marked episode")}: ${faults.join(", ")}`;
}

function describeThinking({ all, readable, forfeited }: Health["thinking"]): string {
	if (all === 0) return "the session has no thinking";
	const taken = formatTokens(Math.max(0, all - readable - forfeited));
	const invalid = `${formatTokens(forfeited)} more because they changed the text before it`;
	return `of ${formatTokens(all)} tokens of thinking are sent; passes evicted ${taken}, and ${invalid}`;
}

function describeComponent(state: ComponentState, isFastest: boolean): HealthRow {
	const { component, used, soft, hard, burnRate, requestsLeft, urgency } = state;
	const burn = burnRate > 0 ? `, +${formatTokens(burnRate)} a request` : "";
	const left = requestsLeft === null ? "" : `, ${countOf(requestsLeft, "request")} left`;
	const outlook = `${burn}${left}: ${urgency}${isFastest ? ", grows fastest" : ""}`;
	if (hard === null) return row(component, formatTokens(used), `tokens${outlook}`);
	const limits = `${formatTokens(used)} of at most ${formatTokens(hard)} (soft ${formatTokens(soft ?? hard)})`;
	return row(component, percent(used / hard), `${limits}${outlook}`);
}

function describeCosts({ unit, cwl, compaction, none, requests }: SessionCosts): HealthRow {
	const show = unit.startsWith("dollars") ? dollars : formatTokens;
	const others = `pi's compaction ${show(compaction)}, no eviction ${show(none)}`;
	const replay = `cost of the same ${countOf(requests, "request")}, replayed with today's settings`;
	return row("replay", show(cwl), `${replay}; ${others} (${unit})`);
}

function dollars(amount: number): string {
	return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

function describeTrend(trend: Trend): HealthRow {
	return row("trend", trend.direction, `over ${trend.turns} requests: ${describeMetrics(trend, "+")}`);
}

/** The last of these turns in a line, and how they moved in another; no line without turns. */
export function describeTurns(turns: readonly TurnMetrics[]): readonly string[] {
	const last = turns.at(-1);
	if (!last) return [];
	const trend = trendOf(turns);
	return [
		`last request: zone ${last.zone}, ${describeMetrics(last, "")}`,
		...(trend ? [describeTrend(trend)].map(({ value, detail }) => `${value} ${detail}`) : []),
	];
}

/** `plus` is put before a figure that is not negative. */
function describeMetrics(metrics: Omit<Trend, "turns" | "direction">, plus: "+" | ""): string {
	const signed = (value: number) => (value < 0 ? String(value) : `${plus}${value}`);
	const points = (share: number) => `${signed(Math.round(100 * share))} %`;
	return [
		`window ${points(metrics.utilization)}`,
		`evicted a request ${signed(Number(metrics.evictionRate.toFixed(1)))}`,
		`compression ${signed(Number(metrics.compressionRatio.toFixed(1)))}`,
		`burn rate ${metrics.burnRate < 0 ? "-" : plus}${formatTokens(Math.abs(metrics.burnRate))}`,
		`in sight ${points(metrics.inSight)}`,
		`tool results ${points(metrics.bloat)}`,
	].join(", ");
}

function row(metric: string, value: string, detail: string): HealthRow {
	return { metric, value, detail };
}
