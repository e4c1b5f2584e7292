/** The rules that hold under every policy, checked on what is sent and not on what the engine says of itself. */
import { type HostMessage, isAnswer, toolCallsOf } from "#pi/codec";
import type { PolicyRequest, Rule } from "../policies/replay-policy.ts";
import { type Alignment, ageOf, isMarker, matchContent } from "./alignment.ts";

export interface Violation {
	readonly rule: Rule;
	/** Index of the request. */
	readonly request: number;
	readonly detail: string;
}

export interface CheckedRequest extends Pick<PolicyRequest, "messages" | "pass"> {
	readonly index: number;
	readonly history: readonly HostMessage[];
	readonly alignment: Alignment;
	/** True if the whole history fits the budget. */
	readonly fits: boolean;
	/** True if the request begins with the whole previous request. */
	readonly isExtension: boolean;
}

type Kept = readonly (HostMessage | undefined)[];

/** Checks the requests of one session in their order. */
export function createRuleCheck(): (request: CheckedRequest) => readonly Violation[] {
	let before: Kept = [];
	function* check(request: CheckedRequest): Generator<readonly [rule: Rule, detail: string]> {
		const { history, messages, pass, alignment } = request;
		const { kept, strangers } = alignment;
		const isIdentity = history.length === messages.length && history.every((m, i) => m === messages[i]);
		if (request.fits && !isIdentity) yield ["identity", "the history fits the budget and was changed"];
		const firstReply = history.findIndex(isAnswer);
		const lost = history.findIndex((message, i) => i < firstReply && kept[i] !== message);
		if (lost >= 0) yield ["prologue", `message ${lost} is gone or changed`];
		const turn = history.findIndex((message, i) => isWrittenByUser(message) && kept[i] !== message);
		if (turn >= 0) yield ["user-turns", `message ${turn} is gone or changed`];
		const [stranger] = strangers;
		if (stranger) yield ["order", `a ${stranger.role} message that is not in the history at this place`];
		const torn = findTorn(history, kept);
		if (torn !== undefined) yield ["pairs", `call ${torn} and its result are torn apart`];
		const back = findReturned(history, before, kept);
		if (back >= 0) yield ["levels", `message ${back} came back, whole or in part`];
		before = kept;
		if (!pass && !request.isExtension) yield ["prefix", "no pass was made and earlier bytes changed"];
		if (pass && pass.after > pass.before)
			yield ["pass", `a pass took the context from ${pass.before} to ${pass.after} tokens`];
	}
	return (request) =>
		Array.from(check(request), ([rule, detail]) => ({ rule, detail, request: request.index }));
}

function isWrittenByUser(message: HostMessage): boolean {
	return (
		message.role === "user" ||
		message.role === "bashExecution" ||
		(message.role === "custom" && !isMarker(message))
	);
}

/**
 * The id of a call that is sent without its result, or the other way round. Only a pair that the history holds whole can be
 * torn: recorded calls without a result stay as they are.
 */
function findTorn(history: readonly HostMessage[], kept: Kept): string | undefined {
	/** By the id of each open call, true if it is sent. */
	const calls = new Map<string, boolean>();
	for (const [index, message] of history.entries()) {
		const left = kept[index];
		for (const { id } of toolCallsOf(message)) {
			const isSent = left === message || (left && toolCallsOf(left).some((call) => call.id === id));
			calls.set(id, isSent === true);
		}
		if (message.role !== "toolResult") continue;
		const isCalled = calls.get(message.toolCallId);
		if (isCalled !== undefined && isCalled !== (left !== undefined)) return message.toolCallId;
		calls.delete(message.toolCallId);
	}
	return undefined;
}

/** The index of a message of which more is sent than by the request before; -1 if there is none. */
function findReturned(history: readonly HostMessage[], before: Kept, kept: Kept): number {
	return before.findIndex((earlier, i) => {
		const now = kept[i];
		if (now === undefined || now === earlier || earlier === history[i]) return false;
		if (earlier === undefined) return true;
		const isReducedFurther = ageOf(earlier) > 0 && ageOf(now) >= ageOf(earlier);
		return !isReducedFurther && !matchContent(now, earlier);
	});
}
