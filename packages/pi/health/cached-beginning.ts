/** The beginning of the next request that the provider still has: requests of before a pass, too, stay in its cache as long as that lives. */
import { SMALLEST_CACHED } from "#core/ledger";
import { readLog, recountLines } from "#core/log";
import { type PlanInput, sharedTokens } from "#core/planning";
import { type Answer, answerTime, type HostMessage, isAnswer } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { isRewrite } from "../session/session-history.ts";
import { type BranchRequest, readRequests } from "./branch-requests.ts";

/**
 * Returns a function that answers how many tokens, as we count them, the request of an input has in common with the beginning of a
 * request of the branch whose prompt is still cached: the longest, 0 if there is none that a provider caches. It goes by requests while CWL was on.
 * @param messages the messages that the inputs are read from
 * @param isCached says if the provider still has the prompt that it answered
 */
export function createCachedTokens(
	branch: readonly BranchEntry[],
	messages: readonly HostMessage[],
	isCached: (answer: Answer) => boolean,
): (input: PlanInput) => number {
	const rewrittenAt = branch.findLastIndex(isRewrite);
	const since = new Set(branch.slice(rewrittenAt + 1).map(({ message }) => answerTime(message)));
	const places = new Map(
		messages.flatMap((message, place) =>
			isAnswer(message) && since.has(answerTime(message)) && isCached(message)
				? [[message.timestamp, place] as const]
				: [],
		),
	);
	// While CWL is off, prompt and tools are others.
	const requests = [...readRequests(branch)].filter(({ isOn }) => isOn);
	const head = requests.at(-1)?.prefix?.head;
	/** Of the requests under one log, the last has the longest beginning. */
	const lastOf = new Map<string, BranchRequest>();
	for (const request of requests) {
		if (!places.has(request.time) || request.prefix?.head !== head) continue;
		lastOf.set(request.held.map(({ number }) => number).join(" "), request);
	}
	return (input) => {
		const shared = [...lastOf.values()].map(({ held, time }) => {
			const log = held.map((pass) => recountLines(pass, input.countMarker));
			return sharedTokens(input, readLog(log, input.graph), places.get(time) ?? 0);
		});
		const longest = Math.max(0, ...shared);
		return longest < SMALLEST_CACHED ? 0 : longest;
	};
}
