/** The pass that is to come, for whoever wants to know before it is made. */
import type { Episode, Graph } from "../graph/graph.ts";
import { historyAfterAnswer } from "../graph/history.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import type { Text } from "../transcript/transcript.ts";
import type { PlanInput, Policy } from "./policy.ts";
import { keepThinkingValid } from "./thinking.ts";

export interface PassPreview {
	/** The pass that would be made now; undefined when nothing may be evicted. */
	readonly pass: Pass | undefined;
	/** Tokens that may still come before it is due. */
	readonly toCome: number;
	/** True if the pass would not pay for itself yet when it is due: an automatic budget then waits for more. */
	readonly paysLater: boolean;
}

/** The pass that the policy would make if the context passed its budget with the next answer. Changes nothing. */
export function previewPass(base: Policy, input: PlanInput): PassPreview {
	const policy = keepThinkingValid(base);
	const due = policy.plan(input);
	const limit = policy.highWater?.(input) ?? input.budget;
	const toCome = due ? 0 : Math.max(0, limit + 1 - totalTokens(input.graph, input.view, input.fixed));
	const ahead = toCome > 0 ? { ...input, isCold: false, graph: growGraph(input.graph, toCome) } : input;
	const pass = thatEvicts(toCome > 0 ? policy.plan(ahead) : due);
	const lowWaterTokens = policy.highWater && policy.lowWater?.(input);
	if (pass || lowWaterTokens === undefined) return { pass, toCome, paysLater: false };
	const later = thatEvicts(policy.plan({ ...ahead, lowWaterTokens }));
	return { pass: later, toCome, paysLater: later !== undefined };
}

function thatEvicts(pass: Pass | undefined): Pass | undefined {
	return pass && changesContext(pass) ? pass : undefined;
}

/** The graph after an answer of so many tokens. */
function growGraph(graph: Graph, tokens: number): Graph {
	const message = graph.messages.length;
	const item: Text = { type: "text", id: "to come", message, tokens };
	const coming: Episode = {
		id: item.id,
		name: "what is to come",
		kind: "act",
		origin: "inferred",
		state: "open",
		dependencies: [],
		description: undefined,
		turn: 0,
		items: [item],
		tokens,
		place: graph.episodes.length,
	};
	return {
		...graph,
		messages: [...graph.messages, { author: "model", items: [item] }],
		episodes: [...graph.episodes, coming],
		tokens: graph.tokens + tokens,
		history: historyAfterAnswer(graph.history, item),
		lastExchange: message,
	};
}
