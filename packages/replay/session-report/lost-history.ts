/** Compactions that a file does not tell of: the provider's counts show that requests shrank. */
import { sum } from "#basics";
import { type HostMessage, inputTokens, isAnswer } from "#pi/codec";
import type { OldSession } from "#pi/session";
import { SHRUNK } from "../recording/calibration.ts";
import type { MessageSizes } from "../recording/recording.ts";

/**
 * The session with a compaction wherever two reported requests in a row are much smaller than the one before. The newest
 * messages that fit into the reported size behind `overhead`, system prompt and tools, count as kept; the summary is unknown. A session that names compactions or
 * passes of cwl explains its requests itself.
 */
export function withLostHistory(old: OldSession, sizes: MessageSizes, overhead: number): OldSession {
	const { messages, branch, compactions = [] } = old;
	if (compactions.length > 0 || branch.some(({ type }) => type === "custom")) return old;
	const reported = messages.flatMap((message, position) => {
		const input = isAnswer(message) ? inputTokens(message) : 0;
		return input > 0 ? [{ position, input }] : [];
	});
	const found = reported.flatMap(({ position, input }, index) => {
		const before = reported[index - 1];
		const next = reported[index + 1] ?? { input };
		if (!before || Math.max(input, next.input) >= SHRUNK * before.input) return [];
		const firstKept = firstFitting(messages.slice(0, position), input - overhead, sizes);
		return [
			{ position: before.position + 1, firstKept: Math.min(firstKept, before.position + 1), summary: "" },
		];
	});
	return { ...old, compactions: found };
}

/** Index of the oldest of the newest messages that fit into a size in tokens. */
function firstFitting(messages: readonly HostMessage[], size: number, sizes: MessageSizes): number {
	let left = size;
	const last = messages.findLastIndex((message) => {
		left -= sum(sizes(message));
		return left < 0;
	});
	return last + 1;
}
