/** Checks every request of a recorded session under one policy against the rules of the four providers. */
import type { FixedTokens } from "#core/ledger";
import type { HostMessage } from "#pi";
import { type Arm, type Recording, replaySession } from "#replay";
import { type Excuses, judge, type Verdict } from "./verdict.ts";
import { type Sender, type Wire, wires } from "./wires.ts";

export interface CheckedSession {
	/** Requests of the replay; each goes to all four providers. */
	readonly requests: number;
	readonly refusals: readonly (Omit<Verdict, "rule"> & { readonly request: number })[];
}

export function checkSession(recording: Recording, arm: Arm, fixed: FixedTokens): CheckedSession {
	const refusals: CheckedSession["refusals"][number][] = [];
	const excuses: Excuses = new Map();
	let requests = 0;
	for (const { index, history, messages } of replaySession(recording, { ...arm, fixed })) {
		requests += 1;
		for (const wire of wires) {
			const verdict = judge(wire, messages, history, senderOf(wire, history), excuses);
			if (verdict) refusals.push({ request: index, wire: verdict.wire, refusal: verdict.refusal });
		}
	}
	return { requests, refusals };
}

/** The model that recorded the session if it speaks this API, so that its signatures are sent back unchanged. */
function senderOf({ api, sender }: Wire, history: readonly HostMessage[]): Sender {
	const last = history.findLast((message) => message.role === "assistant");
	return last?.role === "assistant" && last.api === api ? last : sender;
}
