/** One session under one policy: its requests, measured and checked one by one. */
import { setImmediate as nextTick } from "node:timers/promises";
import { alignRequest } from "./metrics/alignment.ts";
import { countGrounding, type Grounding } from "./metrics/grounding.ts";
import type { Need } from "./metrics/needs.ts";
import { createPrefixMeter } from "./metrics/prefix.ts";
import { createRuleCheck, type Violation } from "./metrics/rules.ts";
import type { RequestMeasure } from "./metrics/traffic.ts";
import type { Recording } from "./recording.ts";
import { type ReplayedRequest, type ReplaySettings, replaySession } from "./replay.ts";
import type { RequestFile } from "./request-file.ts";

export interface SessionResult {
	readonly session: string;
	readonly policy: string;
	/** Whether its episodes come from `delimiter` calls; otherwise they are inferred. */
	readonly isAnnotated: boolean;
	readonly requests: readonly RequestMeasure[];
	readonly violations: readonly Violation[];
	/** One for each request under pressure. */
	readonly grounding: readonly Grounding[];
}

export interface ResultSettings extends ReplaySettings {
	/** The needs of the requests under pressure, by index. */
	readonly needs: ReadonlyMap<number, readonly Need[]>;
}

/** So many requests are replayed before a signal or a redraw gets its turn. */
const REQUESTS_PER_TICK = 16;

/** Replay a session to its end; undefined when the signal ended it before. */
export async function replayToResult(
	recording: Recording,
	settings: ResultSettings,
	file: RequestFile | undefined,
	signal: AbortSignal,
): Promise<SessionResult | undefined> {
	const measure = createRequestMeter(recording, settings, file);
	const requests: RequestMeasure[] = [];
	const violations: Violation[] = [];
	const grounding: Grounding[] = [];
	for (const request of replaySession(recording, settings)) {
		if (request.index % REQUESTS_PER_TICK === 0) await nextTick();
		if (signal.aborted) return undefined;
		const measured = measure(request);
		requests.push(measured.size);
		violations.push(...measured.violations);
		if (measured.grounding) grounding.push(measured.grounding);
	}
	const { session, isAnnotated } = recording;
	return {
		session: session.name,
		policy: settings.contender.name,
		isAnnotated,
		requests,
		violations,
		grounding,
	};
}

interface Measured {
	readonly size: RequestMeasure;
	readonly violations: readonly Violation[];
	readonly grounding: Grounding | undefined;
}

function createRequestMeter(
	{ sizes }: Recording,
	{ fixed, budget, needs, contender }: ResultSettings,
	file: RequestFile | undefined,
): (request: ReplayedRequest) => Measured {
	const overhead = fixed.system + fixed.tools;
	const measurePrefix = createPrefixMeter(sizes);
	const check = createRuleCheck();
	let isPressed = false;
	return (request) => {
		const { index, history, messages, turn, pass, planMs } = request;
		const { tokens, sharedTokens, sharedMessages, isExtension } = measurePrefix(messages);
		const fits = overhead + turn.historyTokens <= budget;
		isPressed ||= !fits;
		file?.write({ index, messages, sharedMessages });
		const size: RequestMeasure = {
			tokens: overhead + tokens,
			sharedTokens: index === 0 ? 0 : overhead + sharedTokens,
			outputTokens: turn.outputTokens,
			follows: index === 0 ? "nothing" : isExtension ? "extends" : "breaks",
			hasPass: pass !== undefined,
			planMs,
			isPressed,
		};
		const alignment = alignRequest(history, messages);
		const broken = check({ ...request, alignment, fits, isExtension });
		const violations = broken.filter(({ rule }) => !contender.exempt.includes(rule));
		const needed = needs.get(index);
		return {
			size,
			violations,
			grounding: needed && countGrounding(needed, history, alignment, contender.canRecall),
		};
	};
}
