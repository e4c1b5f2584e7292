/** How near a session and each component are to their limits, and how fast they come nearer (seed 002, section 5). */

import { sum } from "#basics";
import type { ComponentBudgets } from "../add-ons/component-budgets.ts";
import type { Graph } from "../graph/graph.ts";
import {
	addedByRequest,
	type BudgetComponent,
	budgetComponents,
	measureComponentGrowth,
	measureComponents,
	type SealedTokens,
	sealedIn,
	totalTokens,
} from "../ledger/ledger.ts";
import type { PlanInput } from "../planning/policy.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";

export type Zone = "green" | "yellow" | "orange" | "red";

/** Where green, yellow and orange end, as rising shares of the size at which passes are made. */
export type ZoneEnds = readonly [green: number, yellow: number, orange: number];

export const defaultZoneEnds: ZoneEnds = [0.5, 0.75, 0.9];

/** Where zones end in small windows, which leave less room for error, and in large ones; in tokens of the window. */
const SMALL_WINDOW = 32_000;
const LARGE_WINDOW = 200_000;

/** The zones that seed 002 asks for: tighter in small windows; in large ones yellow and orange are looser, and red is not. */
export function zoneEndsFor(contextWindow: number): ZoneEnds {
	if (contextWindow <= SMALL_WINDOW) return [0.4, 0.6, 0.8];
	return contextWindow < LARGE_WINDOW ? defaultZoneEnds : [0.6, 0.8, 0.9];
}

export interface Pressure {
	/** The size of the last request and its limit, in the same tokens. */
	readonly used: number;
	readonly budget: number;
	/** The size from which on the next pass may be made: the budget, or below it. */
	readonly ceiling: number;
	/** Used for each token of the budget. */
	readonly level: number;
	readonly zone: Zone;
	/** Tokens that a turn of the model added, on the mean of the last ones. */
	readonly velocity: number;
	/** True if the context grows much faster than it used to. */
	readonly isSpike: boolean;
	/** Turns at this velocity until the zone is red; undefined while nothing grows. */
	readonly turnsToRed: number | undefined;
	/** `reported` if the figures come from a provider's usage, `estimated` if they are only our own count. */
	readonly source: "reported" | "estimated";
}

export interface PressureSources extends Pick<Pressure, "used" | "budget" | "source"> {
	/** The unit is the tokens of `used`. */
	readonly burn: Pick<BurnRate, "recent" | "isSpike">;
	/** The budget if left out. */
	readonly ceiling?: number;
	readonly ends?: ZoneEnds;
}

export function measurePressure(sources: PressureSources): Pressure {
	const { used, budget, source, burn, ceiling = budget, ends = defaultZoneEnds } = sources;
	const level = budget > 0 ? used / budget : 1;
	const velocity = Math.max(0, Math.round(burn.recent));
	return {
		used,
		budget,
		ceiling,
		level,
		source,
		velocity,
		zone: zoneOf(ceiling > 0 ? used / ceiling : 1, ends),
		isSpike: burn.isSpike,
		turnsToRed: turnsUntil(ends[2] * ceiling - used, velocity),
	};
}

/** The zone of a share of the ceiling; each ends with its end included. */
export function zoneOf(level: number, [green, yellow, orange]: ZoneEnds): Zone {
	if (level <= green) return "green";
	if (level <= yellow) return "yellow";
	return level <= orange ? "orange" : "red";
}

function turnsUntil(tokens: number, velocity: number): number | undefined {
	if (tokens < 0) return 0;
	return velocity > 0 ? Math.floor(tokens / velocity) + 1 : undefined;
}

/** The window of the mean, in requests. */
const WINDOW = 5;
/** A spike is this many times the earlier mean: a runaway tool, or a loop. */
const SPIKE = 3;
/** A single request that adds fewer tokens is no spike, however small those before it were. */
const MIN_SINGLE_SPIKE = 4_000;

export type BurnRate = Readonly<ReturnType<typeof measureBurnRate>>;

/**
 * Measures the growth from request to request since the host's last compaction: an answer, and everything up to the next one. A steep rise
 * is a spike, but behind a summary only once the last five requests can be compared with five others.
 * @param model the model that the next request goes to, if its provider keeps the thinking of no other one
 */
export function measureBurnRate(graph: Graph, model?: string) {
	const added = addedByRequest(graph);
	const growth = added.map(sumTokens);
	const grown = sum(growth);
	const latest = growth.slice(-WINDOW);
	const inWindow = sum(latest);
	/** Mean tokens that each of the last five requests added. */
	const recent = inWindow / Math.max(1, latest.length);
	/** The mean of the requests before these; 0 if there are none. */
	const before = (grown - inWindow) / Math.max(1, growth.length - latest.length);
	const newest = growth.at(-1) ?? 0;
	const earlier = (grown - newest) / Math.max(1, growth.length - 1);
	const isSingle = newest >= MIN_SINGLE_SPIKE && isMuchMore(newest, earlier);
	// The last five, or the newest alone, added at least three times what the earlier ones did.
	const isSteep = isSingle || isMuchMore(recent, before);
	const summary = graph.messages.findLastIndex((message) => message.isSummary);
	const answers = graph.messages.slice(summary + 1).filter(({ author }) => author === "model").length;
	const isComparable = summary < 0 || Math.min(answers, growth.length) >= 2 * WINDOW;
	/** The sealed thinking in both means. */
	const sealed = {
		recent: meanSealed(added.slice(-WINDOW), model),
		before: meanSealed(added.slice(0, -WINDOW), model),
	};
	return { recent, before, sealed, isSteep, isSpike: isSteep && isComparable };
}

function meanSealed(added: readonly (readonly Item[])[], model?: string) {
	const { sent, unsent } = sealedIn(added.flat(), model);
	const requests = Math.max(1, added.length);
	return { sent: sent / requests, unsent: unsent / requests };
}

/** Returns true for a growth of at least three times the earlier one. Without an earlier one nothing is. */
function isMuchMore(recent: number, before: number): boolean {
	return before > 0 && recent >= SPIKE * before;
}

/** `critical` within three requests of a component's own hard limit or above it, `warning` within ten. */
type Urgency = "critical" | "warning" | "normal";

export interface ComponentState {
	readonly component: BudgetComponent;
	/** The unit is tokens, as of the limits; for `output`, the size of the last answer. */
	readonly used: number;
	/** Null without a limit. */
	readonly soft: number | null;
	readonly hard: number | null;
	/** Tokens that a request adds, on the mean of the last five. */
	readonly burnRate: number;
	/**
	 * Requests until the hard limit at this rate; without one, until the component alone has taken what the budget leaves.
	 * Null while the component does not grow.
	 */
	readonly requestsLeft: number | null;
	/** Always `normal` without a hard limit. */
	readonly urgency: Urgency;
}

/** Requests, from seed 002. */
const CRITICAL = 3;
const WARNING = 10;

/** From the tokens that we count to those of the states: of a part with the sealed thinking in it, a whole request, and its limit. */
interface Units {
	readonly part: (counted: number, sealed?: SealedTokens) => number;
	readonly whole: (counted: number) => number;
	readonly budget: (counted: number) => number;
	/** The sealed thinking of the request, in the tokens that we count. */
	readonly sealed: SealedTokens;
}

const same = (counted: number) => counted;
const asCounted: Units = { part: same, whole: same, budget: same, sealed: { sent: 0, unsent: 0 } };

/** The six components, in the order of the seed, in the tokens that we count or in other units. Linear in what the request sends. */
export function measureComponentStates(
	input: Pick<PlanInput, "graph" | "view" | "fixed" | "budget" | "model">,
	budgets: ComponentBudgets,
	{ part, whole, budget: limitOf, sealed }: Units = asCounted,
): readonly ComponentState[] {
	const { graph, budget, model } = input;
	const counted = measureComponents(input);
	const growth = measureComponentGrowth(graph);
	const grown = measureBurnRate(graph, model).sealed.recent;
	const free = limitOf(budget) - whole(totalTokens(input));
	return budgetComponents.map((component) => {
		const limit = budgets[component];
		const soft = limit ? part(Math.round(limit.soft * budget)) : null;
		const hard = limit && limit.hard < 1 ? part(Math.round(limit.hard * budget)) : null;
		// All thinking is history.
		const partOf = (tokens: number, thinking: SealedTokens) =>
			Math.round(component === "history" ? part(tokens, thinking) : part(tokens));
		const used = partOf(counted[component], sealed);
		const burnRate = partOf(growth[component], grown);
		const isStill = hard === null && burnRate === 0;
		const left = hard === null ? free : hard - used;
		const requestsLeft = isStill ? null : requestsUntil(left, burnRate);
		const urgency = hard === null ? "normal" : urgencyOf(requestsLeft);
		return { component, used, soft, hard, burnRate, requestsLeft, urgency };
	});
}

/** The component that grows fastest; null while none grows. */
export function fastestGrowing(states: readonly ComponentState[]): BudgetComponent | null {
	const [first] = states.filter(({ burnRate }) => burnRate > 0).toSorted((a, b) => b.burnRate - a.burnRate);
	return first?.component ?? null;
}

function requestsUntil(tokens: number, burnRate: number): number | null {
	if (tokens < 0) return 0;
	return burnRate > 0 ? Math.floor(tokens / burnRate) : null;
}

function urgencyOf(requestsLeft: number | null): Urgency {
	if (requestsLeft === null || requestsLeft >= WARNING) return "normal";
	return requestsLeft < CRITICAL ? "critical" : "warning";
}
