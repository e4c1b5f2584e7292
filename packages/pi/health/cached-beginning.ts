/** The beginning of the next request that the provider still has: requests of before a pass, too, stay in its cache as long as that lives. */
import type { Graph } from "#core/graph";
import { SMALLEST_CACHED } from "#core/ledger";
import { readLog, recountLines, type View } from "#core/log";
import { type PlanInput, sharedTokens } from "#core/planning";
import { project } from "#core/projection";
import { type Answer, answerTime, type HostMessage, isAnswer, lastAnswer } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { isRewrite } from "../session/session-history.ts";
import { type BranchRequest, readRequests } from "./branch-requests.ts";

/**
 * Returns a function that answers how many tokens, as we count them, the provider has of the beginning of the request of an input:
 * 0 if no request of the branch is still cached, or too little of it. It goes by requests while CWL was on. A provider that bills what it
 * writes keeps requests up to the places that they mark: their end and, on Anthropic's API, the beginning of the work in progress. Others
 * have what two requests begin with in common.
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
	const places = new Map<number, number>();
	let isWhole = false;
	const { model } = lastAnswer(messages) ?? {};
	/** False also after requests of another model: the next request may mark one of their ends in place of the beginning of the work. */
	let marksWork = true;
	for (const [place, message] of messages.entries()) {
		if (!isAnswer(message) || !since.has(answerTime(message))) continue;
		marksWork &&= message.api === "anthropic-messages" && message.model === model;
		if (!isCached(message)) continue;
		places.set(message.timestamp, place);
		isWhole ||= message.usage.cacheWrite > 0;
	}
	// While CWL is off, prompt and tools are others.
	const requests = [...readRequests(branch)].filter(({ isOn }) => isOn);
	const head = requests.at(-1)?.prefix?.head;
	/** The requests under one log: the number of messages of each, and the log. */
	const byLog = new Map<string, { readonly held: BranchRequest["held"]; readonly ends: number[] }>();
	for (const { time, prefix, held } of requests) {
		const end = places.get(time);
		if (end === undefined || prefix?.head !== head) continue;
		const log = held.map(({ number }) => number).join(" ");
		const ends = byLog.get(log)?.ends ?? [];
		ends.push(end);
		byLog.set(log, { held, ends });
	}
	return (input) => {
		const parts = project(input.graph, input.view);
		/** The message that differs first. Lines of evicted episodes are one text, of the last result before them or of its own message. */
		const changedAt = (difference: number) => {
			const next = parts.findIndex(({ message }) => message >= difference);
			if (parts[next]?.type !== "marker") return difference;
			const last = parts[next - 1]?.message ?? -1;
			return input.graph.messages[last]?.author === "tool" ? last : last + 1;
		};
		const shared = Array.from(byLog.values(), ({ held, ends }) => {
			const log = held.map((pass) => recountLines(pass, input.countMarker));
			const before = readLog(log, input.graph);
			const marked = marksWork ? [...ends, ...workStarts(input.graph, before, ends)] : ends;
			return sharedTokens(input, before, (difference) => {
				if (!isWhole) return Math.min(difference, ends.at(-1) ?? 0);
				const changed = changedAt(difference);
				return Math.max(0, ...marked.filter((place) => place <= changed));
			});
		});
		const longest = Math.max(0, ...shared);
		return longest < SMALLEST_CACHED ? 0 : longest;
	};
}

/** For each request up to one of `ends`, the message in which the work in progress began: `placeBreakpoints` marks what is before it. */
function workStarts({ episodes }: Graph, view: View, ends: readonly number[]): readonly number[] {
	const sent = episodes.filter(
		({ id, origin }) => origin === "declared" && view.episodes.get(id)?.level !== 4,
	);
	const starts = sent.flatMap(({ kind, items }, place) =>
		kind === "expl" && sent[place - 1]?.kind !== "expl" ? (items[0]?.message ?? []) : [],
	);
	return ends.map((end) => starts.findLast((start) => start < end) ?? 0);
}
