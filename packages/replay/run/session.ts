/**
 * Replay of one recorded session under one policy: its requests projected, measured and checked one by one, and summed up.
 * The recorded replies never change: what a policy would have made the agent do otherwise is in no figure.
 */
import { setImmediate as nextTick } from "node:timers/promises";
import type { FixedTokens } from "#core/ledger";
import type { HostMessage } from "#pi/codec";
import { alignRequest } from "../metrics/alignment.ts";
import { countGrounding, emptyGrounding } from "../metrics/grounding.ts";
import { chargeLook, meanAnswer, noLooks } from "../metrics/looks.ts";
import type { findNeeds } from "../metrics/needs.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck, type Violation } from "../metrics/rules.ts";
import { createThinkingMeter, noThinking } from "../metrics/thinking.ts";
import { addUp, emptyTally, tallyRequest } from "../metrics/traffic.ts";
import type { PolicyRequest, PolicySettings, RequestSettings } from "../policies/replay-policy.ts";
import type { Recording, Turn } from "../recording/recording.ts";
import type { Arm } from "./arms.ts";
import type { ReplaySetup } from "./setup.ts";

export type ReplayOptions = Omit<Arm, "name"> &
	Pick<PolicySettings, "fixed" | "modelPrices" | "checksThinking">;

export interface ReplayedRequest extends PolicyRequest {
	/** 0-based: the request before the n-th recorded reply. */
	readonly index: number;
	readonly turn: Turn;
	/** The recorded messages that the request is made from. */
	readonly history: readonly HostMessage[];
}

/** The requests of a session in order, each projected when it is asked for. `settingsAt` gives what differs for one of them. */
export function* replaySession(
	recording: Recording,
	options: ReplayOptions,
	settingsAt?: (index: number) => RequestSettings,
): Generator<ReplayedRequest> {
	const { session, turns, count, sizes } = recording;
	const { summaries = [], cwd } = session;
	const project = options.policy.open({ ...options, count, sizes, summaries, cwd });
	for (const [index, turn] of turns.entries()) {
		const history = session.messages.slice(0, turn.position);
		yield { index, turn, history, ...project(history, settingsAt?.(index)) };
	}
}

/** So many requests are replayed before a signal or a redraw gets its turn. */
const REQUESTS_PER_TICK = 16;
/** Violations that are kept as examples. */
const EXAMPLES = 20;

/** Figures that are summed over requests, and then over sessions. */
export type Sums = ReturnType<typeof emptySums>;

/** Sums of nothing, over so many price lists. */
export function emptySums(lists: number) {
	const none = emptyTally(lists);
	return {
		all: none,
		/** `pressed`, `grounding` and `looks` are of the requests under pressure. */
		pressed: none,
		grounding: emptyGrounding,
		looks: noLooks(lists),
		/** From the first pass or changed prefix on. */
		thinking: noThinking,
	};
}

/** Plain data, so that it can come from another thread. */
export type SessionResult = NonNullable<Awaited<ReturnType<typeof replayToResult>>>;

export type OnRequest = (request: ReplayedRequest) => void;

/** The requests of a session that figures are about, and what each begins with: the same for every arm. */
export interface RequestRange {
	/** Index of the first request under pressure; past the end when there is none. */
	readonly from: number;
	/** The needs of each request under pressure, by its index. */
	readonly needs: ReturnType<typeof findNeeds>;
	/** Leading messages of a fork that count in the session it was forked from. */
	readonly inherited: number;
	/** Tokens of the prompt and the tools. */
	readonly fixed: FixedTokens;
}

/**
 * Replays a session to its end; undefined when the signal ended it before.
 */
export async function replayToResult(
	recording: Recording,
	arm: Arm,
	{ prices, model, withContexts }: ReplaySetup,
	{ from, needs, inherited, fixed }: RequestRange,
	onRequest: OnRequest,
	signal: AbortSignal,
) {
	const empty = emptySums(prices.length);
	let sums = empty;
	let count = 0;
	const contexts: number[] = [];
	const first: Violation[] = [];
	const { checksThinking = false, prices: modelPrices } = model ?? {};
	const { policy, budget, isAuto } = arm;
	const overhead = fixed.system + fixed.tools;
	const measurePrefix = createPrefixMeter(recording.sizes, overhead);
	const measureThinking = createThinkingMeter(recording.sizes, checksThinking);
	const check = createRuleCheck();
	const answer = meanAnswer(recording.turns);
	let hasPassed = false;
	for (const request of replaySession(recording, { ...arm, fixed, checksThinking, modelPrices })) {
		const { index, history, messages, turn, pass, given = history, extraCalls = [] } = request;
		if (index % REQUESTS_PER_TICK === 0) await nextTick();
		if (signal.aborted) return undefined;
		const { sharedMessages, isExtension, ...measured } = measurePrefix(messages);
		onRequest(request);
		const size = {
			...measured,
			outputTokens: turn.outputTokens,
			extraCalls,
			isBreak: index > 0 && !isExtension,
			hasPass: pass !== undefined,
			isOverBudget: measured.tokens > budget,
		};
		const all = tallyRequest(size, prices);
		const pressed = index >= from ? all : empty.pressed;
		const alignment = alignRequest(given, messages);
		const { grounding, missing } = countGrounding(needs.get(index) ?? [], history, alignment);
		const look = { missing, history, sizes: recording.sizes, context: size.tokens, answer };
		const looks = chargeLook(look, prices);
		const seen = measureThinking(messages, sharedMessages, turn.reply);
		const hasChanged = sums.all.passes + sums.all.prefixBreaks + all.passes + all.prefixBreaks > 0;
		const thinking = hasChanged ? seen : noThinking;
		if (turn.position >= inherited) sums = addUp(sums, { all, pressed, grounding, looks, thinking });
		hasPassed ||= pass !== undefined;
		// An automatic budget decides itself when its first pass is due, and so does a policy that evicts finished work.
		const fits = isAuto || policy.passesEarly ? !hasPassed : overhead + turn.historyTokens <= budget;
		const broken = check({ index, history: given, messages, pass, alignment, fits, isExtension });
		const violations = broken.filter(({ rule }) => !policy.exempt.includes(rule));
		count += violations.length;
		first.push(...violations.slice(0, EXAMPLES - first.length));
		if (withContexts) contexts.push(size.tokens);
	}
	/** `first` are examples. `contexts`: input tokens of each request; empty when nobody asked for them. */
	return { arm: arm.name, ...sums, violations: { count, first }, contexts };
}
