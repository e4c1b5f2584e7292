/** The six components of seed 002 (section 5): how much of a request each takes, and how fast it grows. */
import type { Graph } from "../graph/graph.ts";
import { retainedEpisodes, type View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";
import { type FixedTokens, sentSizes, totalTokens } from "./ledger.ts";

/**
 * `history`: what people and the model wrote, thinking and arguments of calls included. `memory`: lines for evicted
 * episodes, recall pages, and notes of the host such as goal and git status. `output`: the answer to come.
 */
export const budgetComponents = ["system", "tools", "history", "toolResults", "memory", "output"] as const;
export type BudgetComponent = (typeof budgetComponents)[number];

/** The components that items belong to, so that a pass can make them smaller. */
export type ItemComponent = Extract<BudgetComponent, "history" | "toolResults" | "memory">;

/** In tokens. */
type ComponentTokens = Readonly<Record<BudgetComponent, number>>;

/** The requests of which growth is the mean. */
const WINDOW = 5;

/** Answers the component of an item. */
export function componentIn({ callOf, history }: Graph): (item: Item) => ItemComponent {
	const recalls = new Set([...history.recalls.values()].flatMap((calls) => calls.map(({ id }) => id)));
	return ({ type, id }) => {
		if (type === "note") return "memory";
		if (type !== "result") return "history";
		return recalls.has(callOf.get(id) ?? id) ? "memory" : "toolResults";
	};
}

/** The tokens of the next request; of `output`, those of the last answer. All but `output` add up to the request. */
export function measureComponents(graph: Graph, view: View, fixed: FixedTokens): ComponentTokens {
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const componentOf = componentIn(graph);
	const sizeOf = sentSizes(graph, view);
	const sums = { history: 0, toolResults: 0, memory: view.markerTokens };
	const episodes = retainedEpisodes(graph, view).map(({ items }) => items);
	for (const items of [graph.prologue, graph.userMessages, ...episodes]) {
		for (const item of items) if (!isGone(item)) sums[componentOf(item)] += sizeOf(item);
	}
	const { toolResults, memory } = sums;
	const history = totalTokens(graph, view, fixed) - fixed.system - fixed.tools - toolResults - memory;
	const output = sumTokens(graph.messages[graph.lastExchange]?.items ?? []);
	return { ...fixed, history, toolResults, memory, output };
}

/** Tokens that each of the last five requests added on average; 0 for components that do not add up. */
export function measureComponentGrowth(graph: Graph): ComponentTokens {
	const componentOf = componentIn(graph);
	const sums = { history: 0, toolResults: 0, memory: 0 };
	let requests = 0;
	for (let index = graph.messages.length - 1; index >= 0 && requests < WINDOW; index -= 1) {
		const message = graph.messages[index];
		for (const item of message?.items ?? []) sums[componentOf(item)] += item.tokens;
		if (message?.author === "model") requests += 1;
	}
	const mean = (tokens: number) => tokens / Math.max(1, requests);
	const { history, toolResults, memory } = sums;
	return {
		...{ system: 0, tools: 0, output: 0 },
		...{ history: mean(history), toolResults: mean(toolResults), memory: mean(memory) },
	};
}
