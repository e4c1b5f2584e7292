/** The part of a small written session that a policy keeps. */
import type { HostMessage } from "#pi";
import { parsePolicies } from "../policies/registry.ts";
import { isOmitted } from "../policies/shortened-output.ts";
import { openRecording } from "../recording/recording.ts";
import { type ReplayedRequest, replaySession } from "../simulation/replay.ts";
import { countQuarters, inOrder, recorded, reply, says } from "./messages.ts";

/** The requests of a session under a policy; a last reply is added, so that the last message is seen by a request. */
export function requestsOf(
	policy: string,
	budget: number,
	messages: readonly HostMessage[],
): readonly ReplayedRequest[] {
	const [contender] = parsePolicies(policy);
	if (!contender) throw new Error(`no policy ${policy}`);
	const recording = openRecording(recorded(...messages, reply(says("done"))), countQuarters);
	return [...replaySession(recording, { contender, budget, fixed: { system: 0, tools: 0 }, now: () => 0 })];
}

/** The ids of the calls whose results the last request still shows. */
export function shownBy(policy: string, budget: number, messages: readonly HostMessage[]): readonly string[] {
	const last = requestsOf(policy, budget, inOrder(...messages)).at(-1);
	return (last?.messages ?? []).flatMap((message) =>
		message.role === "toolResult" && !isOmitted(message) ? [message.toolCallId] : [],
	);
}

/** Text of so many tokens, different for each word that it is made of. */
export function textOf(word: string, tokens: number): string {
	let text = "";
	for (let i = 0; text.length < 4 * tokens; i++) text += `${word} ${i} `;
	return text.slice(0, 4 * tokens);
}
