/** The requests of a small written session under a policy, and the part of it that the policy keeps. */
import type { HostMessage } from "#pi/codec";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { openRecording, type Recording } from "../recording/recording.ts";
import { type ReplayedRequest, replaySession } from "../run/session.ts";
import { countQuarters, recorded, reply, says } from "./messages.ts";

/** The policy of this name, with its knobs. */
export function policyNamed(name: string): ReplayPolicy {
	const [policy] = parsePolicies(name);
	if (!policy) throw new Error(`no policy ${name}`);
	return policy;
}

/** The requests of a recording under a policy. */
export function replayUnder(
	name: string,
	recording: Recording,
	budget: number,
	fixed = { system: 0, tools: 0 },
): readonly ReplayedRequest[] {
	return [...replaySession(recording, { policy: policyNamed(name), budget, fixed })];
}

/** The ids of the calls whose results the last request still shows. */
export function shownBy(policy: string, budget: number, messages: readonly HostMessage[]): readonly string[] {
	// A last reply is added, so that a request holds the last message.
	const recording = openRecording(recorded(...messages, reply(says("done"))), countQuarters);
	const last = replayUnder(policy, recording, budget).at(-1);
	return (last?.messages ?? []).flatMap((message) =>
		message.role === "toolResult" ? [message.toolCallId] : [],
	);
}

/** Text of so many tokens, different for each word that it is made of. */
export function textOf(word: string, tokens: number): string {
	let text = "";
	for (let i = 0; text.length < 4 * tokens; i++) text += `${word} ${i} `;
	return text.slice(0, 4 * tokens);
}
