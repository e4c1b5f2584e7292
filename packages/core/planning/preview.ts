/** Passes to come: planned by the function that makes them, from the session as it would be with what is still to come. */
import { DELIMITER } from "../annotation/delimiter.ts";
import { foldTranscript } from "../graph/fold.ts";
import type { Graph } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import type { ToolCall, TranscriptMessage } from "../transcript/transcript.ts";
import { ceilingOf } from "./limits.ts";
import { withDescriptions } from "./manual-pass.ts";
import { planPass } from "./plan.ts";
import type { PlanInput, Policy, WeighedOutput } from "./policy.ts";

/**
 * The passes that the policy would make if the context grew on, or the next piece of work began; undefined when that evicts
 * nothing. Changes nothing.
 */
export function previewPass(policy: Policy, input: PlanInput) {
	const { graph, view, fixed } = input;
	const due = planPass(policy, input);
	/** Tokens that may still come before the pass is due. */
	const toCome = due ? 0 : Math.max(0, ceilingOf(input) + 1 - totalTokens(graph, view, fixed));
	const pass = thatEvicts(toCome > 0 ? planPass(policy, afterAnswer(input, toCome)) : due);
	return { pass, toCome, seam: thatEvicts(planPass(policy, atNextSeam(input))) };
}

/** The worth of each output of the context when the next message of the user comes; none under a policy that does not ask. */
export function weighAtNextTurn(policy: Policy, input: PlanInput): readonly WeighedOutput[] {
	return policy.weigh?.(atNextTurn(input)) ?? [];
}

/** The input as it would be with an empty message of the user at its end. */
export function atNextTurn(input: PlanInput): PlanInput {
	const message = input.graph.messages.length;
	return withMessages(input, [
		{ author: "user", items: [{ type: "user", id: TO_COME, message, tokens: 0 }] },
	]);
}

/**
 * The input as it would be after an answer that ends the work in hand and begins an expl, and results as large as the largest
 * of the last arrivals. The provider has cached all that came before.
 */
export function atNextSeam(input: PlanInput): PlanInput {
	const { protocol, messages } = input.graph;
	const message = messages.length;
	const mark = (id: string, args: ToolCall["arguments"]): ToolCall => {
		return { type: "call", id, callId: id, tool: DELIMITER, arguments: args, message, tokens: 0 };
	};
	const description = protocol.open?.kind === "expl" && { description: "done" };
	const end = protocol.open ? [mark(`${TO_COME} end`, { action: "end", ...description })] : [];
	const start = mark(TO_COME, { action: "start", name: TO_COME, type: "expl" });
	const size = largestArrival(input.graph);
	const results = [...end, start].map(({ id, callId }): TranscriptMessage => {
		const tokens = id === TO_COME ? size : 0;
		const place = message + (id === TO_COME ? end.length + 1 : 1);
		const result = {
			type: "result" as const,
			id: `${id} result`,
			callId,
			message: place,
			tokens,
			isError: false,
		};
		return { author: "tool", items: [result] };
	});
	const { isCold: _, ...warm } = input;
	return withMessages(warm, [{ author: "model", items: [...end, start] }, ...results]);
}

/** The input as it would be after an answer of so many tokens. The provider has cached all of it but the last arrival. */
export function afterAnswer(input: PlanInput, tokens: number): PlanInput {
	const { isCold: _, ...warm } = input;
	const message = input.graph.messages.length;
	const foreseen = Math.max(0, tokens - largestArrival(input.graph));
	const item = { type: "text" as const, id: TO_COME, message, tokens };
	return { ...withMessages(warm, [{ author: "model", items: [item] }]), foreseen };
}

/** The id and the name of what a preview adds; no host gives such ids. */
const TO_COME = "what is to come";
const ARRIVALS = 5;

/** The most that one of the last requests added, in tokens. */
export function largestArrival({ history }: Graph): number {
	return Math.max(0, ...history.growth.slice(-ARRIVALS));
}

/** The input after further messages. Linear in the session. */
function withMessages(input: PlanInput, added: readonly TranscriptMessage[]): PlanInput {
	const graph = foldTranscript([...input.graph.messages, ...added], input.tools);
	const described = new Map(input.graph.episodes.map(({ id, description }) => [id, description ?? ""]));
	return { ...input, graph: withDescriptions(graph, described) };
}

function thatEvicts(pass: Pass | undefined): Pass | undefined {
	return pass && changesContext(pass) ? pass : undefined;
}
