/** The six metrics of seed 002, once a turn of the model, and how they move. */
import { fieldsOf } from "#basics";
import { measureVitals, type Vitals, type WholeSession } from "#core/health";
import type { Pass } from "#core/log";
import { answerTime } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import type { Sizes } from "../screen/sizes.ts";
import { STEERING_ENTRY, UNDO_ENTRY } from "../session/log-entries.ts";
import { type CountedAnswer, isRewrite } from "../session/session-history.ts";
import { type Fidelity, measureFidelity } from "./fidelity.ts";

/** One turn: an answer of the model and the results of its calls. Shares lie between 0 and 1. */
export type TurnMetrics = Readonly<ReturnType<typeof measureTurn>>;

interface TurnSources {
	readonly vitals: Vitals;
	readonly fidelity: Pick<Fidelity, "facts" | "visible" | "named">;
	/** Turns a counted size, with the sealed thinking in it, into the provider's tokens. */
	readonly part: Sizes["part"];
	/** The sizes of the request and the window, in the same tokens. */
	readonly used: number;
	readonly window: number;
}

export function measureTurn({ vitals, fidelity, part, used, window }: TurnSources) {
	const { facts, visible, named } = fidelity;
	const { eviction, burn, bloat, compressionRatio } = vitals;
	return {
		/** Tokens of the request for each token of the model's window; of the budget where the window is unknown. */
		utilization: window > 0 ? used / window : 0,
		/** Items evicted so far, divided by the turns so far. */
		evictionRate: eviction.itemsPerRequest,
		/** Original tokens of the stripped episodes for each token that is left of them; 1 before any pass. */
		compressionRatio: Number.isFinite(compressionRatio) ? compressionRatio : MAX_RATIO,
		/** Tokens that a turn added, on the mean of the last five. */
		burnRate: part(burn.recent, burn.sealed.recent),
		/** The share of the used facts in evicted outputs that the request still shows; 1 for fewer than 20 facts. */
		inSight: facts < MIN_FACTS ? 1 : visible / facts,
		/** The share that it shows or that is in an episode which it names, so that recall brings them back. */
		retained: facts === 0 ? 1 : (visible + named) / facts,
		/** Tokens of tool results for each token of the request. */
		bloat: part(bloat.tokens) / Math.max(1, used),
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
 * The index of the last entry by which requests grew or shrank without a turn: a compaction, another branch, an undo, or `/cwl off` and `/cwl on`.
 * Earlier turns say nothing about growth since then. -1 without one.
 */
export function lastBreak(branch: readonly BranchEntry[]): number {
	return branch.findLastIndex(
		(entry) =>
			isRewrite(entry) ||
			entry.type === "branch_summary" ||
			entry.customType === UNDO_ENTRY ||
			(entry.customType === STEERING_ENTRY && fieldsOf(entry.data).enabled !== undefined),
	);
}

interface RecallSources {
	readonly branch: readonly BranchEntry[];
	/** The requests of the branch, in their order. */
	readonly requests: Iterable<CountedAnswer>;
	/** The session up to a request, what a compaction hides included. */
	readonly wholeOf: (request: CountedAnswer) => WholeSession;
	/** The size and the window of a request. */
	readonly about: (request: CountedAnswer, vitals: Vitals) => Pick<TurnSources, "part" | "used" | "window">;
}

/** Measures the last turns since the last break again, from what the file of a session holds. */
export function recallTurns({ branch, requests, wholeOf, about }: RecallSources): readonly TurnMetrics[] {
	const turns: TurnMetrics[] = [];
	let fidelity: TurnSources["fidelity"] = { facts: 0, visible: 0, named: 0 };
	let measured: Pass | undefined;
	const since = branch.slice(lastBreak(branch) + 1).flatMap(({ message }) => answerTime(message) ?? []);
	const wanted = new Set(since.slice(-MAX_TREND));
	for (const request of requests) {
		if (!request.isManaged || !wanted.has(request.answer.timestamp)) continue;
		const { messages, ...state } = request.state();
		const pass = request.passes.at(-1);
		if (pass !== measured) fidelity = measureFidelity({ messages, graph: state.graph }, state.view);
		measured = pass;
		const vitals = measureVitals({ ...state, budget: 0 }, wholeOf(request));
		turns.push(measureTurn({ vitals, fidelity, ...about(request, vitals) }));
	}
	return turns;
}

/** How the metrics moved over the last turns; what a request shows of facts is measured with each pass only, and has no trend. */
export interface Trend extends Omit<TurnMetrics, "inSight" | "retained"> {
	readonly turns: number;
	readonly direction: "rising" | "falling" | "stable";
}

/** The metrics now, as of the last turn unless given, less those of the first of the last ten turns; undefined for fewer than five. */
export function trendOf(turns: readonly TurnMetrics[], last = turns.at(-1)): Trend | undefined {
	const recent = turns.slice(-MAX_TREND);
	const first = recent[0];
	if (!first || !last || recent.length < MIN_TREND) return undefined;
	const delta = (key: keyof TurnMetrics) => last[key] - first[key];
	const utilization = delta("utilization");
	return {
		turns: recent.length,
		utilization,
		evictionRate: delta("evictionRate"),
		compressionRatio: delta("compressionRatio"),
		burnRate: delta("burnRate"),
		bloat: delta("bloat"),
		direction: utilization > 0 ? "rising" : utilization < 0 ? "falling" : "stable",
	};
}
