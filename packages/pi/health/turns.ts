/** The six metrics of seed 002, once a turn of the model, and how they move. */
import { measureVitals, type Vitals } from "#core/health";
import type { Pass } from "#core/log";
import { isPrefixChange } from "#core/planning";
import { isAnswer } from "../codec/host-message.ts";
import type { CountedAnswer, HistoryStep } from "../session/session-history.ts";
import { type Fidelity, measureFidelity } from "./fidelity.ts";

/** One turn: an answer of the model and the results of its calls. Shares lie between 0 and 1. */
export interface TurnMetrics {
	/** Tokens of the request for each token of the model's window; of the budget where the window is unknown. */
	readonly utilization: number;
	/** Items evicted so far, divided by the turns so far. */
	readonly evictionRate: number;
	/** Original tokens of the stripped episodes for each token that is left of them; 1 before any pass. */
	readonly compressionRatio: number;
	/** Tokens that a turn added, on the mean of the last five. */
	readonly burnRate: number;
	/** The share of the used facts in evicted outputs that the request still shows; 1 for fewer than 20 facts. */
	readonly inSight: number;
	/** The share that it shows or that is in an episode which it names, so that recall brings them back. */
	readonly retained: number;
	/** Tokens of tool results for each token of the request. */
	readonly bloat: number;
}

export interface TurnSources {
	readonly vitals: Vitals;
	readonly fidelity: Pick<Fidelity, "facts" | "visible" | "named">;
	/** Turns a counted size into the provider's tokens. */
	readonly part: (counted: number) => number;
	/** The sizes of the request and the window, in the same tokens. */
	readonly used: number;
	readonly window: number;
}

export function measureTurn({ vitals, fidelity, part, used, window }: TurnSources): TurnMetrics {
	const { facts, visible, named } = fidelity;
	const { eviction, burn, bloat, compressionRatio } = vitals;
	return {
		utilization: window > 0 ? used / window : 0,
		evictionRate: eviction.itemsPerRequest,
		compressionRatio: Number.isFinite(compressionRatio) ? compressionRatio : MAX_RATIO,
		burnRate: part(burn.recent),
		inSight: facts < MIN_FACTS ? 1 : visible / facts,
		retained: facts === 0 ? 1 : (visible + named) / facts,
		bloat: bloat.share,
	};
}

/** Fewer facts say nothing about what the model sees. */
const MIN_FACTS = 20;

/** The ratio that is shown where nothing is left of the episodes. */
const MAX_RATIO = 1_000_000;

/** Fewer turns show no trend; more are not looked at. */
const MIN_TREND = 5;
const MAX_TREND = 10;

/**
 * Measures the last turns of a session again, from what its file holds.
 * @param requests the requests of these steps, in their order
 * @param about the size and the window of a request
 */
export function recallTurns(
	steps: readonly HistoryStep[],
	requests: Iterable<CountedAnswer>,
	about: (request: CountedAnswer, vitals: Vitals) => Pick<TurnSources, "part" | "used" | "window">,
): readonly TurnMetrics[] {
	const turns: TurnMetrics[] = [];
	let fidelity: TurnSources["fidelity"] = { facts: 0, visible: 0, named: 0 };
	let measured: Pass | undefined;
	let left = steps.filter((step) => step.type === "message" && isAnswer(step.message)).length;
	for (const request of requests) {
		left -= 1;
		if (!request.isManaged || left >= MAX_TREND) continue;
		const { messages, ...state } = request.state();
		const pass = request.passes.findLast((made) => !isPrefixChange(made));
		if (pass !== measured) fidelity = measureFidelity({ messages, graph: state.graph }, state.view);
		measured = pass;
		const vitals = measureVitals({ ...state, budget: 0 });
		turns.push(measureTurn({ vitals, fidelity, ...about(request, vitals) }));
	}
	return turns;
}

/** How the metrics moved over the last turns. */
export interface Trend extends TurnMetrics {
	readonly turns: number;
	readonly direction: "rising" | "falling" | "stable";
}

/** The last of the last ten turns less the first of them; undefined for fewer than five. */
export function trendOf(turns: readonly TurnMetrics[]): Trend | undefined {
	const recent = turns.slice(-MAX_TREND);
	const first = recent[0];
	const last = recent.at(-1);
	if (!first || !last || recent.length < MIN_TREND) return undefined;
	const delta = (key: keyof TurnMetrics) => last[key] - first[key];
	const utilization = delta("utilization");
	return {
		turns: recent.length,
		utilization,
		evictionRate: delta("evictionRate"),
		compressionRatio: delta("compressionRatio"),
		burnRate: delta("burnRate"),
		inSight: delta("inSight"),
		retained: delta("retained"),
		bloat: delta("bloat"),
		direction: utilization > 0 ? "rising" : utilization < 0 ? "falling" : "stable",
	};
}
