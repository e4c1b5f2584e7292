/**
 * Replay of one recorded session under one policy: its requests projected, measured and checked one by one, and summed up.
 * The recorded replies never change: what a policy would have made the agent do otherwise is in no figure.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { FixedTokens } from "#core/ledger";
import type { ModelPrices } from "#core/prices";
import type { HostMessage } from "#pi/codec";
import { alignRequest } from "../metrics/alignment.ts";
import {
	countGrounding,
	createFaultMeter,
	emptyGrounding,
	type Faults,
	type Grounding,
} from "../metrics/grounding.ts";
import type { Need } from "../metrics/needs.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck, type Violation } from "../metrics/rules.ts";
import { createThinkingMeter, noThinking, type Thinking } from "../metrics/thinking.ts";
import { addUp, sumTallies, type Tally, tallyRequest } from "../metrics/traffic.ts";
import type { PolicyRequest } from "../policies/replay-policy.ts";
import type { Recording, Turn } from "../recording/recording.ts";
import type { Arm, ReplaySetup } from "./setup.ts";

export interface ReplayOptions extends Omit<Arm, "name"> {
	readonly fixed: FixedTokens;
	/** The prices of the model that the session is replayed as. */
	readonly modelPrices?: ModelPrices | undefined;
	/** True if that model rejects thinking behind a changed prefix. */
	readonly checksThinking?: boolean;
}

export interface ReplayedRequest extends PolicyRequest {
	/** 0-based: the request before the n-th recorded reply. */
	readonly index: number;
	readonly turn: Turn;
	/** The recorded messages that the request is made from. */
	readonly history: readonly HostMessage[];
}

/** The requests of a session in order, each projected when it is asked for. */
export function* replaySession(recording: Recording, options: ReplayOptions): Generator<ReplayedRequest> {
	const { session, turns, count, sizes } = recording;
	const { summaries = [], cwd } = session;
	const workspace = cwd === undefined ? {} : { cwd };
	const project = options.policy.open({ ...options, count, sizes, summaries, ...workspace });
	for (const [index, turn] of turns.entries()) {
		const history = session.messages.slice(0, turn.position);
		yield { index, turn, history, ...project(history) };
	}
}

/** Figures that are summed over requests, and then over sessions. */
export interface Sums {
	readonly all: Tally;
	/** Of the requests under pressure, as are the needs. */
	readonly pressed: Tally;
	readonly grounding: Grounding;
	/** Over all requests. */
	readonly faults: Faults;
	/** Over the requests from the first pass or changed prefix on. */
	readonly thinking: Thinking;
}

/** Plain data, so that it can come from another thread. */
export interface SessionResult extends Sums {
	readonly arm: string;
	readonly violations: { readonly count: number; readonly first: readonly Violation[] };
	/** Input tokens of each request; empty when nobody asked for them. */
	readonly contexts: readonly number[];
}

/** The requests under pressure, the same for every arm. */
export interface Pressure {
	/** Index of the first one; past the end when there is none. */
	readonly from: number;
	/** The needs of each, by index. */
	readonly needs: ReadonlyMap<number, readonly Need[]>;
}

/** So many requests are replayed before a signal or a redraw gets its turn. */
const REQUESTS_PER_TICK = 16;
/** Violations that are kept as examples. */
const EXAMPLES = 20;

/** Sums of nothing, over so many price lists. */
export function emptySums(lists: number): Sums {
	const none = sumTallies([], lists);
	const counts = { grounding: emptyGrounding, faults: { evicted: 0, faults: 0 }, thinking: noThinking };
	return { all: none, pressed: none, ...counts };
}

/** `sharedMessages`: leading messages that the request before began with too. */
export type OnRequest = (request: ReplayedRequest, sharedMessages: number) => void;

/** Replays a session to its end; undefined when the signal ended it before. */
export async function replayToResult(
	recording: Recording,
	arm: Arm,
	{ settings: { fixed }, prices, model, withContexts }: ReplaySetup,
	{ from, needs }: Pressure,
	onRequest: OnRequest | undefined,
	signal: AbortSignal,
): Promise<SessionResult | undefined> {
	const empty = emptySums(prices.length);
	let sums = empty;
	let count = 0;
	const contexts: number[] = [];
	const first: Violation[] = [];
	const { checksThinking = false, prices: modelPrices } = model ?? {};
	const measure = createRequestMeter(recording, arm, fixed);
	const measureThinking = createThinkingMeter(recording.count, checksThinking);
	for (const request of replaySession(recording, { ...arm, fixed, checksThinking, modelPrices })) {
		const { index, history, messages } = request;
		if (index % REQUESTS_PER_TICK === 0) await nextTick();
		if (signal.aborted) return undefined;
		const { size, sharedMessages, alignment, violations, faults } = measure(request);
		onRequest?.(request, sharedMessages);
		const all = tallyRequest(size, prices);
		const pressed = index >= from ? all : empty.pressed;
		const grounding = countGrounding(needs.get(index) ?? [], history, alignment);
		const seen = measureThinking({ messages, sharedMessages, reply: request.turn.reply });
		const hasChanged = sums.all.passes + sums.all.prefixBreaks + all.passes + all.prefixBreaks > 0;
		sums = addUp(sums, { all, pressed, grounding, faults, thinking: hasChanged ? seen : noThinking });
		count += violations.length;
		first.push(...violations.slice(0, EXAMPLES - first.length));
		if (withContexts) contexts.push(size.tokens);
	}
	return { arm: arm.name, ...sums, violations: { count, first }, contexts };
}

function createRequestMeter(
	{ sizes }: Recording,
	{ policy, budget, isAuto }: Arm,
	{ system, tools }: FixedTokens,
) {
	const overhead = system + tools;
	const measurePrefix = createPrefixMeter(sizes, overhead);
	const measureFaults = createFaultMeter();
	const check = createRuleCheck();
	let hasPassed = false;
	return ({ index, history, messages, turn, pass, given = history, extraCalls = [] }: ReplayedRequest) => {
		const { sharedMessages, isExtension, ...measured } = measurePrefix(messages);
		const alignment = alignRequest(given, messages);
		hasPassed ||= pass !== undefined;
		// An automatic budget decides itself when its first pass is due, and so does a policy that evicts finished work.
		const fits = isAuto || policy.passesEarly ? !hasPassed : overhead + turn.historyTokens <= budget;
		const broken = check({ index, history: given, messages, pass, alignment, fits, isExtension });
		return {
			size: {
				...{ ...measured, outputTokens: turn.outputTokens, extraCalls },
				isBreak: index > 0 && !isExtension,
				hasPass: pass !== undefined,
				isOverBudget: measured.tokens > budget,
			},
			...{ sharedMessages, alignment },
			violations: broken.filter(({ rule }) => !policy.exempt.includes(rule)),
			faults: measureFaults(history, alignment, turn.reply),
		};
	};
}
