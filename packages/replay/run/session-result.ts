/** One session under one arm: its requests measured and checked one by one, and summed up. */
import { setImmediate as nextTick } from "node:timers/promises";
import type { FixedTokens } from "#core/ledger";
import { alignRequest } from "../metrics/alignment.ts";
import { addFaults, createFaultMeter, type Faults, noFaults } from "../metrics/faults.ts";
import {
	addGroundings,
	checkNeeds,
	countGrounding,
	emptyGrounding,
	type Grounding,
} from "../metrics/grounding.ts";
import { addMissedEdits, countMissedEdits, type MissedEdits } from "../metrics/missed-edits.ts";
import type { ModelProfile } from "../metrics/model-prices.ts";
import type { Need } from "../metrics/needs.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import type { PriceList } from "../metrics/prices.ts";
import { addRepairs, createRepairMeter, noRepair, type Repair } from "../metrics/repair.ts";
import { createRuleCheck, type Violation } from "../metrics/rules.ts";
import { createSavingsMeter } from "../metrics/savings.ts";
import { addTallies, emptyTally, type RequestMeasure, type Tally, tallyRequest } from "../metrics/tally.ts";
import { addThinking, createThinkingMeter, noThinking, type ThinkingFigures } from "../metrics/thinking.ts";
import type { Recording } from "../recording/recording.ts";
import type { Arm } from "../simulation/arm.ts";
import { type ReplayedRequest, replaySession } from "../simulation/replay.ts";
import type { RequestFile } from "../simulation/request-file.ts";

/** Plain data, so that it can come from another thread. */
export interface SessionResult {
	readonly arm: string;
	readonly all: Tally;
	/** Of the requests under pressure, as are the needs. */
	readonly pressed: Tally;
	readonly grounding: Grounding;
	/** The requests that fetch the missing needs back. */
	readonly repair: Repair;
	readonly missedEdits: MissedEdits;
	/** From the first pass or prefix break on. */
	readonly thinking: ThinkingFigures;
	/** Of the requests under pressure, the same for every arm. */
	readonly thinkingUnderPressure: ThinkingFigures;
	/** Over all requests. */
	readonly faults: Faults;
	/** Tokens that left, each counted once; over all requests. */
	readonly savedOnce: number;
	/** How long each pass was planned, in ms; empty where nobody timed it. */
	readonly passMs: readonly number[];
	readonly violations: { readonly count: number; readonly first: readonly Violation[] };
	readonly course: Course;
}

/** A session request by request; empty when nobody asked for it. */
export interface Course {
	/** Input tokens of each request. */
	readonly contexts: readonly number[];
	/** Indexes of the requests that do not begin with the one before. */
	readonly breaks: readonly number[];
}

export const emptyCourse: Course = { contexts: [], breaks: [] };

export interface ResultSettings {
	readonly arm: Arm;
	readonly fixed: FixedTokens;
	/** A clock in ms. */
	readonly now: () => number;
	readonly prices: readonly PriceList[];
	/** The model that the session is replayed as; without one, thinking counts as readable behind any prefix. */
	readonly model: ModelProfile | undefined;
	/** True to keep the course of the session. */
	readonly withCourse: boolean;
	readonly withTimes: boolean;
	/** Index of the first request under pressure, the same for every arm. */
	readonly firstPressed: number;
	/** The needs of the requests under pressure, by index. */
	readonly needs: ReadonlyMap<number, readonly Need[]>;
}

/** So many requests are replayed before a signal or a redraw gets its turn. */
const REQUESTS_PER_TICK = 16;
/** Violations that are kept to be looked at. */
const EXAMPLES = 20;

/** Replay a session to its end; undefined when the signal ended it before. */
export async function replayToResult(
	recording: Recording,
	settings: ResultSettings,
	file: RequestFile | undefined,
	signal: AbortSignal,
): Promise<SessionResult | undefined> {
	const measure = createRequestMeter(recording, settings, file);
	const sum = createSum(settings);
	const { prices: modelPrices, checksThinking = false } = settings.model ?? {};
	for (const request of replaySession(recording, {
		...settings,
		modelPrices,
		checksThinking,
		...settings.arm,
	})) {
		if (request.index % REQUESTS_PER_TICK === 0) await nextTick();
		if (signal.aborted) return undefined;
		sum.add(measure(request), request);
	}
	return sum.result();
}

interface Measured {
	readonly size: RequestMeasure;
	readonly violations: readonly Violation[];
	readonly grounding: Grounding | undefined;
	readonly repair: Repair;
	readonly missedEdits: MissedEdits;
	readonly thinking: ThinkingFigures;
	readonly faults: Faults;
	readonly savedOnce: number;
}

function createRequestMeter(
	{ sizes, count }: Recording,
	{ fixed, needs, model, prices, arm: { contender, budget, isAuto, checksThinking } }: ResultSettings,
	file: RequestFile | undefined,
): (request: ReplayedRequest) => Measured {
	const overhead = fixed.system + fixed.tools;
	const measurePrefix = createPrefixMeter(sizes);
	const measureThinking = createThinkingMeter(count, checksThinking ?? model?.checksThinking ?? false);
	const check = createRuleCheck();
	let hasPassed = false;
	const measureFaults = createFaultMeter();
	const measureRepair = createRepairMeter(sizes, prices);
	const measureSavings = createSavingsMeter(sizes);
	return (request) => {
		const { index, history, messages, turn, pass, recall, extraCalls = [] } = request;
		const given = request.given ?? history;
		const { tokens, sharedTokens, endedTokens, sharedMessages, isExtension } = measurePrefix(messages);
		file?.write({ index, messages, sharedMessages, extraCalls });
		const size: RequestMeasure = {
			tokens: overhead + tokens,
			sharedTokens: index === 0 ? 0 : overhead + sharedTokens,
			endedTokens: index === 0 ? 0 : overhead + endedTokens,
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
		const broken = check({ ...request, history: given, alignment, fits, isExtension });
		const needed = needs.get(index);
		const checked = checkNeeds(needed ?? [], history, alignment, recall);
		return {
			size,
			thinking: measureThinking({ messages, sharedMessages, reply: turn.reply }),
			violations: broken.filter(({ rule }) => !contender.exempt.includes(rule)),
			faults: measureFaults(history, alignment, turn.reply),
			savedOnce: measureSavings(history, alignment),
			grounding: needed && countGrounding(checked),
			repair: measureRepair(checked, history, size.tokens),
			missedEdits: countMissedEdits(checked, history, sizes),
		};
	};
}

function createSum({ arm, prices, firstPressed, withCourse, withTimes }: ResultSettings) {
	let [all, pressed] = [emptyTally(prices.length), emptyTally(prices.length)];
	let grounding = emptyGrounding;
	let [thinking, thinkingUnderPressure] = [noThinking, noThinking];
	let faults = noFaults;
	let repair = noRepair(prices.length);
	let missedEdits: MissedEdits = {};
	let savedOnce = 0;
	const passMs: number[] = [];
	const course = { contexts: [] as number[], breaks: [] as number[] };
	const first: Violation[] = [];
	let count = 0;
	return {
		add(measured: Measured, { index, pass, planMs }: ReplayedRequest) {
			const tally = tallyRequest(measured.size, prices);
			all = addTallies(all, tally);
			if (index >= firstPressed) {
				pressed = addTallies(pressed, tally);
				thinkingUnderPressure = addThinking(thinkingUnderPressure, measured.thinking);
			}
			// Policies without passes of their own change the prefix as well.
			if (all.passes + all.breaking > 0) thinking = addThinking(thinking, measured.thinking);
			if (measured.grounding) grounding = addGroundings(grounding, measured.grounding);
			faults = addFaults(faults, measured.faults);
			repair = addRepairs(repair, measured.repair);
			missedEdits = addMissedEdits(missedEdits, measured.missedEdits);
			savedOnce += measured.savedOnce;
			if (pass && withTimes) passMs.push(planMs);
			count += measured.violations.length;
			first.push(...measured.violations.slice(0, EXAMPLES - first.length));
			if (!withCourse) return;
			course.contexts.push(measured.size.tokens);
			if (measured.size.follows === "breaks") course.breaks.push(index);
		},
		result: (): SessionResult => ({
			...{
				arm: arm.name,
				all,
				pressed,
				grounding,
				repair,
				missedEdits,
				thinking,
				thinkingUnderPressure,
				faults,
				savedOnce,
				passMs,
				course,
			},
			violations: { count, first },
		}),
	};
}
