/** The health of a session as plain data, and in words. */
import { countOf, percent } from "#basics";
import { type ComponentState, fastestGrowing, type Health, type Marks } from "#core/health";
import { digestOf } from "#core/transcript";
import { type Sizes, showTokens } from "../screen/sizes.ts";
import type { Fidelity } from "./fidelity.ts";
import type { SecondLooks } from "./second-looks.ts";
import type { Setbacks } from "./setbacks.ts";
import { type Trend, type TurnMetrics, trendOf } from "./turns.ts";

/** The cost of a session under one policy, in dollars, and the tokens sent. */
export interface ArmCost {
	readonly cost: number;
	readonly tokens: number;
}

/** The costs of a session as it went and as it would have gone. */
export interface SessionCosts {
	/** `dollars at the prices of ...`. */
	readonly unit: string;
	readonly cwl: ArmCost;
	readonly compaction: ArmCost;
	readonly none: ArmCost;
	/** Model calls of the session when it was replayed. */
	readonly requests: number;
	/** The budget under which pi's compaction was replayed, in the provider's tokens. */
	readonly budget: number;
	/** The part of the cost of each that requests on other branches have. */
	readonly elsewhere: number;
	/** Those of this branch. */
	readonly setbacks: Setbacks;
}

interface HealthSources {
	readonly health: Health;
	readonly looks: SecondLooks;
	readonly fidelity: Fidelity;
	readonly sizes: Sizes;
	/** The next request and its budget, in the provider's tokens. */
	readonly used: number;
	readonly budget: number;
	/** The turns since the last break, and the metrics of the next request; none if left out. */
	readonly turns?: readonly TurnMetrics[];
	readonly now?: TurnMetrics;
	/** In the provider's tokens. */
	readonly components?: readonly ComponentState[];
	/** True if the host has compacted the session. */
	readonly isCompacted?: boolean;
	/** Null where the session was not replayed. */
	readonly costs?: SessionCosts | null;
}

/** Tokens are the provider's, estimated while `isKnown` is false; shares lie between 0 and 1. */
export type HealthReport = ReturnType<typeof reportHealth>;

export function reportHealth(sources: HealthSources) {
	const { health, looks, fidelity, sizes, used, budget } = sources;
	const { turns = [], now, components = [], costs = null } = sources;
	const { part, isKnown } = sizes;
	const { eviction, compressionRatio, burn, bloat, thinking, marks } = health;
	const { tokens, largest, reduced } = bloat;
	const thought = (tokens: number) => {
		const sent = (thinking.sealed * tokens) / Math.max(1, thinking.all);
		return part(tokens, { sent, unsent: 0 });
	};
	const growth = (of: "recent" | "before") => (burn[of] === 0 ? null : part(burn[of], burn.sealed[of]));
	return {
		isKnown,
		/** Share of the budget that the next request uses. */
		utilisation: used / Math.max(1, budget),
		/** The evicted share of everything that the session ever held, and its tokens and items for each request. */
		evicted: { ...eviction, tokensPerRequest: part(eviction.tokensPerRequest) },
		/** Tokens of the stripped episodes for each that is left of them; null when nothing is left. */
		compressionRatio: Number.isFinite(compressionRatio) ? compressionRatio : null,
		/** Tokens that a request since the last compaction added: in the mean of the last five, and of all before; null where there are none. */
		burn: { recent: growth("recent"), before: growth("before"), isSpike: burn.isSpike },
		/** Results that the next request sends. `reduced`: those that passes reduced, and by how many tokens they are smaller. */
		toolResults: {
			tokens: part(tokens),
			share: part(tokens) / Math.max(1, used),
			largest: part(largest?.tokens ?? 0),
			...(reduced && { reduced: { ...reduced, tokens: part(reduced.tokens) } }),
		},
		/** `isCompacted`: without what the host's last compaction summarized. */
		fidelity: { ...fidelity, isCompacted: sources.isCompacted === true },
		thinking: {
			/** False where another model has sealed some of it, whose size is then an estimate. */
			isOwn: thinking.isOwn,
			all: thought(thinking.all),
			readable: thought(thinking.readable),
			evicted: thought(thinking.evicted),
			forfeited: thought(thinking.forfeited),
		},
		costs,
		/** The six metrics of the last request; null before the first since a compaction, an undo, `/cwl off` or `/cwl on`. */
		lastTurn: turns.at(-1) ?? null,
		/** How the metrics moved from the first of the last ten requests since then to the next one; null for fewer than five. */
		trend: trendOf(turns, now) ?? null,
		/** The six components, and the one that grows fastest; null while none grows. */
		components,
		fastest: fastestGrowing(components),
		/** Content that was looked at again after it had left. `tokens`: what had not paid for itself; `cost`, `saved`: in dollars or null. */
		regret: {
			tokens: looks.regretted,
			again: looks.tokens,
			kept: looks.kept,
			cost: looks.cost,
			saved: looks.saved,
			passes: looks.passes.map(({ pass, taken, regretted }) => ({ pass, taken, regretted })),
			/** `path` is the file that a call was about; null where it names none. `pass` is the number of the pass. */
			calls: looks.calls.map(({ call, tokens: again, pass, times }) => {
				return { tool: call.tool, path: digestOf(call)?.paths[0] ?? null, tokens: again, pass, times };
			}),
		},
		/** How well the model marks its work; null in a session without marks. */
		marks: marks ?? null,
	};
}

export interface HealthRow {
	readonly metric: string;
	readonly value: string;
	readonly detail: string;
}

/** One row for each metric. */
export function describeHealth(health: HealthReport): readonly HealthRow[] {
	const { evicted, burn, toolResults, fidelity, thinking, compressionRatio, isKnown } = health;
	const show = (tokens: number) => showTokens(tokens, isKnown);
	const { facts, visible, named } = fidelity;
	const rows: readonly (HealthRow | false | null)[] = [
		row("utilisation", percent(health.utilisation), "of the budget, in the next request"),
		row(
			"eviction",
			percent(evicted.share),
			`of the session has left the requests, ${show(evicted.tokensPerRequest)} tokens a request`,
		),
		row(
			"compression",
			compressionRatio === null ? "all" : `${compressionRatio.toFixed(1)}:1`,
			"of the episodes that something left of",
		),
		burn.recent !== null &&
			row("burn rate", show(burn.recent), `tokens a request of late${burn.isSpike ? ": a spike" : ""}`),
		row(
			"tool results",
			percent(toolResults.share),
			`of the next request; the largest is ${show(toolResults.largest)} tokens${reducedFact(toolResults, show)}`,
		),
		facts > 0 &&
			row(
				"in sight",
				percent(visible / facts),
				`of ${countOf(facts, "fact")} of evicted outputs that the model used${fidelity.isCompacted ? ", apart from those that the last compaction summarized," : ""} ${facts === 1 ? "is" : "are"} still in the next request`,
			),
		facts > visible &&
			row(
				"recallable",
				percent(named / facts),
				"of these facts have left, but the next request names their episode, so the model can recall them",
			),
		row(
			"thinking",
			thinking.all === 0 ? "-" : percent(thinking.readable / thinking.all),
			describeThinking(thinking, isKnown && thinking.isOwn),
		),
		row("regret", show(health.regret.tokens), describeRegret(health.regret, show)),
		health.marks && row("marks", percent(health.marks.share), describeMarks(health.marks)),
		health.trend && describeTrend(health.trend),
		...health.components.map((state) => describeComponent(state, state.component === health.fastest, show)),
	];
	return rows.filter((each) => each !== false && each !== null);
}

type Show = (tokens: number) => string;

function reducedFact({ reduced }: HealthReport["toolResults"], show: Show): string {
	if (!reduced) return "";
	const are = reduced.outputs === 1 ? "is" : "are";
	return `; ${countOf(reduced.outputs, "output")} ${are} reduced, ${show(reduced.tokens)} tokens smaller than whole`;
}

function describeRegret({ calls, again, kept, cost }: HealthReport["regret"], show: Show): string {
	const price = cost === null || calls.length === 0 ? "" : `, which cost ${dollars(cost)}`;
	const looked = `of ${show(again)} that ${countOf(calls.length, "call")} read again${price}`;
	return `tokens read again for nothing, ${looked}; passes kept ${show(kept)} out of later requests`;
}

/** Counts of marks, and of those that contradict the work, in words. */
export function describeMarks(marks: Marks): string {
	const faults = [
		`${marks.open} open`,
		`${countOf(marks.actsWithoutDependencies, "act")} without dependencies`,
		`${countOf(marks.explsThatEdit, "expl")} with edits`,
		`${countOf(marks.actsThatOnlyRead, "act")} that only read`,
	];
	return `of all work so far is in ${countOf(marks.episodes, "marked episode")}: ${faults.join(", ")}`;
}

function describeThinking({ all, evicted, forfeited }: HealthReport["thinking"], isKnown: boolean): string {
	const show = (tokens: number) => showTokens(tokens, isKnown);
	if (all === 0) return "the session has no thinking";
	const invalid = `${show(forfeited)} left because older text changed or was summarized, or another model thought it`;
	return `of ${show(all)} tokens of thinking are sent; passes evicted ${show(evicted)}, and ${invalid}`;
}

/** The size of a component; with a hard limit also when it reaches that, and how urgent this is. */
export function describeComponent(state: ComponentState, isFastest: boolean, show: Show): HealthRow {
	const { component, used, soft, hard, burnRate, requestsLeft } = state;
	const burn = burnRate > 0 ? `, ${show(burnRate)} more a request` : "";
	const fastest = isFastest ? ", grows fastest" : "";
	if (hard === null) {
		const left = requestsLeft === null ? "" : `, alone fills the budget ${soonText(requestsLeft)}`;
		return row(component, show(used), `tokens${burn}${left}${fastest}`);
	}
	const limits = `${show(used)} of at most ${show(hard)} (soft ${show(soft ?? hard)})`;
	return row(component, percent(used / hard), `${limits}${burn}${ownLimitText(state, hard)}${fastest}`);
}

function ownLimitText({ used, requestsLeft, urgency }: ComponentState, hard: number): string {
	if (requestsLeft === null) return "";
	const when = used > hard ? "over its limit" : `its limit ${soonText(requestsLeft)}`;
	return `, ${when}${urgency === "normal" ? "" : `: ${urgency}`}`;
}

/** `in 2 requests`. */
export function soonText(requestsLeft: number): string {
	return requestsLeft === 0 ? "with the next request" : `in ${countOf(requestsLeft, "request")}`;
}

/** `$0.42`, and `$0.0042` for little. */
export function dollars(amount: number): string {
	const size = Math.abs(amount);
	return `${amount < 0 ? "-" : ""}$${size.toFixed(size < 0.1 ? 4 : 2)}`;
}

function describeTrend(trend: Trend): HealthRow {
	return row(
		"trend",
		trend.direction,
		`over ${trend.turns} requests and their passes: ${describeMetrics(trend, "+")}`,
	);
}

/** The last of these turns in a line, and how they moved in another; no line without turns. */
export function describeTurns(turns: readonly TurnMetrics[]): readonly string[] {
	const last = turns.at(-1);
	if (!last) return [];
	const trend = trendOf(turns);
	return [
		`last request: ${describeMetrics(last, "")}`,
		...(trend ? [describeTrend(trend)].map(({ value, detail }) => `${value} ${detail}`) : []),
	];
}

/** `plus` is put before a figure that is not negative. */
function describeMetrics(
	metrics: Omit<Trend, "turns" | "direction"> & Partial<TurnMetrics>,
	plus: "+" | "",
): string {
	const signed = (value: number) => (value < 0 ? String(value) : `${plus}${value}`);
	const points = (share: number) => `${signed(Math.round(100 * share))} %`;
	return [
		`window ${points(metrics.utilization)}`,
		`items evicted a request ${signed(Number(metrics.evictionRate.toFixed(1)))}`,
		`compression ${signed(Number(metrics.compressionRatio.toFixed(1)))}`,
		`burn rate ${signed(Math.round(metrics.burnRate))}`,
		...(metrics.inSight === undefined ? [] : [`in sight ${points(metrics.inSight)}`]),
		`tool results ${points(metrics.bloat)}`,
	].join(", ");
}

function row(metric: string, value: string, detail: string): HealthRow {
	return { metric, value, detail };
}
