/**
 * Recorded sessions as agents send them through the proxy: steadily; with requests that are repeated, cancelled and compacted; with searches
 * of the provider's own and a tool that is loaded by a search; and with counted call ids, after another session with the same prompts and ids has left its passes in the store.
 */
import type { HostMessage } from "#pi/codec";
import {
	createMemoryStore,
	type Habits,
	type SentSession,
	sendSession,
} from "../../packages/wire/test-support/sent-session.ts";
import type { WireApi } from "../../packages/wire/test-support/wire-answers.ts";

const MODELS: readonly (readonly [WireApi, string])[] = [
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
	["completions", "deepseek-v4"],
];

/** Sends a session as each of the agents; `budget` in tokens of four characters. */
export function sendAsAgents(messages: readonly HostMessage[], budget: number) {
	const refusals: string[] = [];
	let requests = 0;
	for (const [api, model] of MODELS) {
		const send = (habits: Habits, sent = messages) => sendSession(api, model, sent, budget, habits);
		const store = createMemoryStore();
		const runs: Readonly<Record<string, SentSession>> = {
			steady: send({}),
			unsteady: send({ isUnsteady: true }),
			searching: send({ isUnsteady: true, searches: true }),
			"another conversation": send({ countsIds: true, store }, messages.map(withOtherResult)),
			"the same ids": send({ countsIds: true, store }),
		};
		for (const [name, run] of Object.entries(runs)) {
			const found = [...run.refusals];
			if (run.prefixBreaks > 0) found.push(`${run.prefixBreaks} prefix breaks without a pass`);
			if (run.silent > 0) found.push(`${run.silent} requests have no line about what left`);
			requests += run.requests;
			refusals.push(...found.map((refusal) => `${api}, ${name}: ${refusal}`));
		}
		if (runs["the same ids"]?.digest !== send({ countsIds: true }).digest)
			refusals.push(`${api}: a pass of another conversation acts`);
	}
	return { requests, refusals: refusals.map((refusal) => ({ refusal })) };
}

function withOtherResult(message: HostMessage): HostMessage {
	if (message.role !== "toolResult") return message;
	return { ...message, content: [...message.content, { type: "text", text: "other" }] };
}
