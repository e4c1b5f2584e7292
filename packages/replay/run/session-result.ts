/** One session under one arm: its requests measured and checked one by one, and summed up. */
import { setImmediate as nextTick } from "node:timers/promises";
import { addUp } from "../metrics/add-up.ts";
import { alignRequest } from "../metrics/alignment.ts";
import { createFaultMeter, type Faults } from "../metrics/faults.ts";
import { countGrounding, emptyGrounding, type Grounding } from "../metrics/grounding.ts";
import type { Need } from "../metrics/needs.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck, type Violation } from "../metrics/rules.ts";
import { createThinkingMeter, noThinking, type ThinkingFigures } from "../metrics/thinking.ts";
import { type RequestMeasure, sumTallies, type Tally, tallyRequest } from "../metrics/traffic.ts";
import type { Recording } from "../recording/recording.ts";
import { type ReplayedRequest, replaySession } from "./replay.ts";
import type { RequestFile } from "./request-file.ts";
import type { Arm, ReplaySetup } from "./setup.ts";

/** Figures that are summed over requests, and then over sessions. */
export interface Sums {
	readonly all: Tally;
	/** Of the requests under pressure, as are the needs. */
	readonly pressed: Tally;
	readonly grounding: Grounding;
	/** From the first pass or prefix break on. */
	readonly thinking: ThinkingFigures;
	/** Over all requests. */
	readonly faults: Faults;
}

/** Plain data, so that it can come from another thread. */
export interface SessionResult extends Sums {
	readonly arm: string;
	readonly violations: { readonly count: number; readonly first: readonly Violation[] };
	/** Input tokens of each request; empty when nobody asked for them. */
	readonly contexts: readonly number[];
}

export interface ResultSettings extends Pick<ReplaySetup, "fixed" | "prices" | "model" | "withContexts"> {
	readonly arm: Arm;
	/** Index of the first request under pressure, the same for every arm. */
	readonly firstPressed: number;
	/** The needs of the requests under pressure, by index. */
	readonly needs: ReadonlyMap<number, readonly Need[]>;
}

/** So many requests are replayed before a signal or a redraw gets its turn. */
const REQUESTS_PER_TICK = 16;
/** Violations that are kept as examples. */
const EXAMPLES = 20;

/** Sums of nothing, over so many price lists. */
export function emptySums(lists: number): Sums {
	const none = sumTallies([], lists);
	const faults = { evicted: 0, absences: 0, faults: 0 };
	return { all: none, pressed: none, grounding: emptyGrounding, thinking: noThinking, faults };
}

/** Replays a session to its end; undefined when the signal ended it before. */
export async function replayToResult(
	recording: Recording,
	settings: ResultSettings,
	file: RequestFile | undefined,
	signal: AbortSignal,
): Promise<SessionResult | undefined> {
	const { arm, fixed, prices, model, firstPressed, withContexts } = settings;
	const measure = createRequestMeter(recording, settings, file);
	const empty = emptySums(prices.length);
	let sums = empty;
	const contexts: number[] = [];
	const first: Violation[] = [];
	let count = 0;
	const { checksThinking = false, prices: modelPrices } = model ?? {};
	for (const request of replaySession(recording, { ...arm, fixed, checksThinking, modelPrices })) {
		if (request.index % REQUESTS_PER_TICK === 0) await nextTick();
		if (signal.aborted) return undefined;
		const { size, violations, grounding, thinking, faults } = measure(request);
		const all = tallyRequest(size, prices);
		// Policies without passes of their own change the prefix as well.
		const isChanged = sums.all.passes + sums.all.breaking + all.passes + all.breaking > 0;
		const pressed = request.index >= firstPressed ? all : empty.pressed;
		sums = addUp(sums, { all, pressed, grounding, thinking: isChanged ? thinking : noThinking, faults });
		count += violations.length;
		first.push(...violations.slice(0, EXAMPLES - first.length));
		if (withContexts) contexts.push(size.tokens);
	}
	return { arm: arm.name, ...sums, violations: { count, first }, contexts };
}

interface Measured extends Pick<Sums, "grounding" | "thinking" | "faults"> {
	readonly size: RequestMeasure;
	readonly violations: readonly Violation[];
}

function createRequestMeter(
	{ sizes, count }: Recording,
	{ fixed, needs, model, arm: { policy, budget, isAuto } }: ResultSettings,
	file: RequestFile | undefined,
): (request: ReplayedRequest) => Measured {
	const overhead = fixed.system + fixed.tools;
	const measurePrefix = createPrefixMeter(sizes);
	// Without a model, thinking counts as readable behind any prefix.
	const measureThinking = createThinkingMeter(count, model?.checksThinking ?? false);
	const check = createRuleCheck();
	const measureFaults = createFaultMeter();
	let hasPassed = false;
	return (request) => {
		const { index, history, messages, turn, pass, recall, extraCalls = [] } = request;
		const given = request.given ?? history;
		const { tokens, sharedTokens, endedTokens, sharedMessages, isExtension } = measurePrefix(messages);
		file?.write({ index, messages, sharedMessages, extraCalls });
		// Of the first request nothing is cached, since the one before it is empty.
		const head = index === 0 ? 0 : overhead;
		const size: RequestMeasure = {
			tokens: overhead + tokens,
			sharedTokens: head + sharedTokens,
			endedTokens: head + endedTokens,
			outputTokens: turn.outputTokens,
			follows: index === 0 ? "nothing" : isExtension ? "extends" : "breaks",
			hasPass: pass !== undefined,
			isOverBudget: overhead + tokens > budget,
			extraCalls,
		};
		const alignment = alignRequest(given, messages);
		hasPassed ||= pass !== undefined;
		// An automatic budget decides itself when its first pass is due.
		const fits = isAuto ? !hasPassed : overhead + turn.historyTokens <= budget;
		const broken = check({ index, history: given, messages, pass, alignment, fits, isExtension });
		return {
			size,
			thinking: measureThinking({ messages, sharedMessages, reply: turn.reply }),
			violations: broken.filter(({ rule }) => !policy.exempt.includes(rule)),
			faults: measureFaults(history, alignment, turn.reply),
			grounding: countGrounding(needs.get(index) ?? [], history, alignment, recall),
		};
	};
}
