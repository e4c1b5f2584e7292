/** The rules that hold under every policy, checked on what is sent and not on what the engine says of itself. */
import { type HostMessage, toolCallsOf } from "#pi/codec";
import type { PolicyRequest, Rule } from "../policies/replay-policy.ts";
import { type Alignment, isFadedFurther, isMarker, isPartOf } from "./alignment.ts";

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
type Finding = { readonly rule: Rule; readonly detail: string } | undefined;

/** Checks the requests of one session in their order. */
export function createRuleCheck(): (request: CheckedRequest) => readonly Violation[] {
	const pairs = createPairs();
	let before: Kept = [];
	return (request) => {
		const { history, index } = request;
		const { kept, strangers } = request.alignment;
		const findings = [
			checkIdentity(request),
			...checkProtected(history, kept),
			checkStrangers(strangers),
			pairs(history, kept),
			checkLevels(history, before, kept),
			checkPrefix(request),
			checkPass(request),
		];
		before = kept;
		return findings
			.filter((finding) => finding !== undefined)
			.map((finding) => ({ ...finding, request: index }));
	};
}

function checkIdentity({ fits, history, messages }: CheckedRequest): Finding {
	if (!fits) return undefined;
	const isIdentity = history.length === messages.length && history.every((m, i) => m === messages[i]);
	return isIdentity ? undefined : { rule: "identity", detail: "the history fits the budget and was changed" };
}

function* checkProtected(history: readonly HostMessage[], kept: Kept): Generator<Finding> {
	const firstReply = history.findIndex(({ role }) => role === "assistant");
	const isLost = (message: HostMessage, i: number) => kept[i] !== message;
	const lost = history.findIndex((message, i) => i < firstReply && isLost(message, i));
	if (lost >= 0) yield { rule: "prologue", detail: `message ${lost} is gone or changed` };
	const turn = history.findIndex((message, i) => isWrittenByUser(message) && isLost(message, i));
	if (turn >= 0) yield { rule: "user-turns", detail: `message ${turn} is gone or changed` };
}

function isWrittenByUser(message: HostMessage): boolean {
	return (
		message.role === "user" ||
		message.role === "bashExecution" ||
		(message.role === "custom" && !isMarker(message))
	);
}

function checkStrangers(strangers: readonly HostMessage[]): Finding {
	const [first] = strangers;
	if (!first) return undefined;
	return { rule: "order", detail: `a ${first.role} message that is not in the history at this place` };
}

/** Only a pair that the history holds whole can be torn: recorded calls without a result stay as they are. */
function createPairs(): (history: readonly HostMessage[], kept: Kept) => Finding {
	const calls = new Map<string, number>();
	const pairs: { readonly id: string; readonly call: number; readonly result: number }[] = [];
	let seen = 0;
	return (history, kept) => {
		for (const [offset, message] of history.slice(seen).entries()) {
			for (const { id } of toolCallsOf(message)) calls.set(id, seen + offset);
			if (message.role !== "toolResult") continue;
			const id = message.toolCallId;
			const call = calls.get(id);
			if (call === undefined) continue;
			pairs.push({ id, call, result: seen + offset });
			calls.delete(id);
		}
		seen = history.length;
		const torn = pairs.find(({ id, call, result }) => {
			const message = kept[call];
			const hasCall =
				message !== undefined &&
				(message === history[call] || toolCallsOf(message).some((left) => left.id === id));
			return hasCall !== (kept[result] !== undefined);
		});
		return torn && { rule: "pairs", detail: `call ${torn.id} and its result are torn apart` };
	};
}

function checkLevels(history: readonly HostMessage[], before: Kept, kept: Kept): Finding {
	const back = before.findIndex((earlier, i) => {
		const [now, whole] = [kept[i], history[i]];
		if (now === undefined || whole === undefined || now === earlier || earlier === whole) return false;
		return earlier === undefined || !(isPartOf(now, earlier) || isFadedFurther(now, earlier, whole));
	});
	return back < 0 ? undefined : { rule: "levels", detail: `message ${back} came back, whole or in part` };
}

function checkPrefix({ pass, isExtension }: CheckedRequest): Finding {
	if (pass || isExtension) return undefined;
	return { rule: "prefix", detail: "no pass was made and earlier bytes changed" };
}

function checkPass({ pass }: CheckedRequest): Finding {
	if (!pass || pass.after <= pass.before) return undefined;
	return { rule: "pass", detail: `a pass took the context from ${pass.before} to ${pass.after} tokens` };
}
