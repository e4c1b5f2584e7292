/**
 * Large outputs as they are sent: shortened from the first request on, and the same in every request after it. The
 * session file and recall keep the whole output. The user's limits leave files that a call shows alone; what cannot
 * fit into a request is shortened whatever it shows. Recalls and what the user ran are never shortened.
 */

import { isDeepStrictEqual } from "node:util";
import type { CountTokens } from "#basics";
import { noOutputLimits, type OutputLimits, type OutputRule, roomIn } from "../outputs/output-limits.ts";
import { createOutputBounds } from "./bounded-output.ts";
import { type HostMessage, hasFailed, isAnswer } from "./host-message.ts";
import { createNames, messageKey } from "./messages.ts";

type Messages = readonly HostMessage[];

/** `count` remembers what it has counted; `kept` holds the rules of the session's branch, oldest first. */
export function createArrivals(count: CountTokens, kept: readonly OutputRule[] = []) {
	let rules = kept;
	const boundedOutput = createOutputBounds(count);

	return {
		/**
		 * Any list of the session's messages with its outputs as they are sent; the same list if none is shortened. Each output
		 * is shortened once, however many lists hold it.
		 */
		asSent(messages: Messages): Messages {
			if (rules.every(shortensNothing)) return messages;
			const names = rules.some(({ after }) => after !== "") ? namesOf(messages) : [];
			// A compaction takes the oldest messages: a rule whose message is gone holds for all that is left.
			const starts = rules.map(({ after }) => names.indexOf(after));
			const shown = messages.map((message, index) => {
				const rule = rules[starts.findLastIndex((start) => start < index)];
				return (rule && boundedOutput(messages, index, rule)) ?? message;
			});
			return shown.every((message, index) => message === messages[index]) ? messages : shown;
		},
		/**
		 * Puts new limits into force with a request that begins a turn of the user; inside a turn they wait for the next one.
		 * They hold for outputs that come after the last answer. `readFree` is asked then for the tokens that outputs may
		 * take. Returns the rule to keep in the session; undefined if there is nothing new.
		 */
		admit(
			messages: Messages,
			limits: OutputLimits,
			readFree: () => number | undefined = () => undefined,
		): OutputRule | undefined {
			// The host forgets an answer that failed when it tries again.
			const answer = messages.findLastIndex((message) => isAnswer(message) && !hasFailed(message));
			// What has come since may have been sent. And not all of it is in the session file yet, which may be forked here.
			if (messages.slice(answer + 1).some(({ role }) => role === "toolResult")) return undefined;
			const free = readFree();
			const inForce = rules.at(-1) ?? { limits: noOutputLimits, room: undefined };
			const room = free === undefined ? undefined : roomIn(free, inForce.room);
			if (isDeepStrictEqual(inForce.limits, limits) && inForce.room === room) return undefined;
			const after = namesOf(messages)[answer] ?? "";
			const rule = { after, limits, ...(room !== undefined && { room }) };
			rules = [...rules, rule];
			return rule;
		},
	};
}

function shortensNothing({ limits, room }: OutputRule): boolean {
	return room === undefined && Object.values(limits).every((limit) => limit === 0);
}

/** Names that tell the messages of one list apart. */
function namesOf(messages: Messages): readonly string[] {
	const nameOf = createNames();
	return messages.map((message) => nameOf(messageKey(message)));
}
