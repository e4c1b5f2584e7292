/** Evictions for tests, applied to a history between two requests. */

import type { ModelMessage } from "../../model.ts";
import { createRandom } from "../random.ts";
import type { Eviction } from "./simulation.ts";

const lastReply = (history: readonly ModelMessage[]): number =>
	history.findLastIndex((message) => message.type === "assistant");

/** Recency truncation at its strongest: only the user turns and the last exchange are left. */
export const keepLastExchange: Eviction = (history) => {
	const last = lastReply(history);
	return history.filter((message, index) => message.type === "user" || index >= last);
};

/**
 * At each request each older call is evicted with its result at a chance of `percent` in 100, and so are texts and
 * whole replies. Evicted content stays evicted. User turns and the last exchange are never touched.
 */
export function forgetAtRandom(seed: number, percent: number): Eviction {
	const random = createRandom(seed);
	const calls = new Set<string>();
	const texts = new Set<number>();
	const strikes = (): boolean => random.between(1, 100) <= percent;
	return (history) => {
		const last = lastReply(history);
		for (const [index, message] of history.entries()) {
			if (message.type !== "assistant" || index >= last) continue;
			const whole = strikes();
			if (whole || strikes()) texts.add(index);
			for (const call of message.calls) if (whole || strikes()) calls.add(call.id);
		}
		return history.flatMap((message, index) => show(message, calls, texts.has(index)));
	};
}

function show(message: ModelMessage, calls: ReadonlySet<string>, silent: boolean): readonly ModelMessage[] {
	if (message.type === "user" || message.type === "system") return [message];
	if (message.type === "result") return calls.has(message.callId) ? [] : [message];
	const kept = message.calls.filter((call) => !calls.has(call.id));
	if (!silent) return [{ ...message, calls: kept }];
	return kept.length > 0 ? [{ ...message, thinking: "", text: "", calls: kept }] : [];
}
