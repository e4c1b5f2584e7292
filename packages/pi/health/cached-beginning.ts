/** The beginning of the next request that the provider still has: requests of before a pass, too, stay in its cache as long as that lives. */
import { readLog, recountLines } from "#core/log";
import { type PlanInput, sharedTokens } from "#core/planning";
import { type Answer, answerTime, type HostMessage, isAnswer } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { isRewrite } from "../session/session-history.ts";
import { type BranchRequest, readRequests } from "./branch-requests.ts";

/**
 * Tokens, as we count them, of the longest beginning that the request of an input has in common with a request of the branch whose
 * prompt is still cached; 0 if there is none. CWL is on.
 * @param messages the messages that the input was read from
 * @param isCached says if the provider still has the prompt that it answered
 */
export function cachedTokens(
	branch: readonly BranchEntry[],
	messages: readonly HostMessage[],
	input: PlanInput,
	isCached: (answer: Answer) => boolean,
): number {
	const { graph, countMarker } = input;
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
	const shared = [...lastOf.values()].map(({ held, time }) => {
		const log = held.map((pass) => recountLines(pass, countMarker));
		return sharedTokens(input, readLog(log, graph), places.get(time) ?? 0);
	});
	return Math.max(0, ...shared);
}
