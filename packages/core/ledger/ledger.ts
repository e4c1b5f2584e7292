/** Token accounting: every item was counted once when it was seen, so a ledger is a sum, never a recount. */
import { sum } from "#basics";
import { componentOf, type Episode, type Graph } from "../graph/graph.ts";
import type { Pass, Strip } from "../log/pass.ts";
import { markerTokens, retainedEpisodes, takenTokens, type View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { type Item, type ItemId, sumTokens } from "../transcript/transcript.ts";

/** The fixed cost of a request, in tokens. */
export interface FixedTokens {
	readonly system: number;
	readonly tools: number;
}

/** The content of the next request: what the session holds, what its log took of that, and what every request has. */
export interface RequestContent {
	readonly graph: Graph;
	readonly view: View;
	readonly fixed: FixedTokens;
}

/**
 * Tokens of the next request, as `computeLedger` adds them up, from sums that graph and view keep. Linear in the evicted
 * episodes. The view must speak of no episode that the graph does not hold.
 */
export function totalTokens({ graph, view, fixed }: RequestContent): number {
	const { prologue, user } = keptTokens(graph, view);
	const left = graph.tokens - graph.prologueTokens - graph.userTokens - takenTokens(view);
	return fixed.system + fixed.tools + prologue + user + left + markerTokens(view);
}

/** The tokens of a request that are an estimate of sealed thinking. */
export interface SealedTokens {
	/** The part that the provider gets. */
	readonly sent: number;
	/** Thinking that another model has sealed, whole: it is counted with the request, and not sent. */
	readonly unsent: number;
}

/** Sealed thinking that a request to this model holds; of any model if none is named. Linear in the answers that thought. */
export function sealedTokens({ reasoning }: Graph, { removed }: View, model?: string): SealedTokens {
	return sealedIn(
		reasoning.filter(({ id }) => !removed.has(id)),
		model,
	);
}

/** The sealed thinking among these items. */
export function sealedIn(items: readonly Item[], model?: string): SealedTokens {
	let sent = 0;
	let unsent = 0;
	for (const item of items) {
		if (item.type !== "reasoning") continue;
		const { sealed = 0, sealedBy = model, tokens } = item;
		if (sealedBy === model || model === undefined) sent += sealed;
		else unsent += tokens;
	}
	return { sent, unsent };
}

/** Answers the sealed thinking among items of a graph by their ids, in a request to this model; of any model if none is named. */
export function sealedAmong({
	reasoning,
}: Pick<Graph, "reasoning">): (items: readonly ItemId[], model?: string) => SealedTokens {
	const byId = new Map(reasoning.map((item) => [item.id, item]));
	return (items, model) =>
		sealedIn(
			items.flatMap((id) => byId.get(id) ?? []),
			model,
		);
}

/** A pass without the strips that took nothing of its request: thinking that another model had sealed is not sent. */
export function withoutUnsent(graph: Pick<Graph, "reasoning">, pass: Pass): Pass {
	const sealedOf = sealedAmong(graph);
	const isUnsent = ({ items, tokens }: Strip) => tokens > 0 && sealedOf(items, pass.model).unsent === tokens;
	return { ...pass, strips: pass.strips.filter((strip) => !isUnsent(strip)) };
}

/** Computes the tokens that the projection will send, by component; the components add up to `total`. Linear in what is left. */
export function computeLedger({ graph, view, fixed }: RequestContent) {
	const byRank = { act: 0, expl: 0, unannotated: 0 };
	for (const episode of retainedEpisodes(graph, view)) {
		byRank[componentOf(graph, episode)] += leftOf(episode, view);
	}
	const parts = {
		system: fixed.system,
		tools: fixed.tools,
		...keptTokens(graph, view),
		...byRank,
		/** Lines that stand for evicted episodes, one by one or folded. */
		markers: markerTokens(view),
	};
	return { ...parts, total: sum(Object.values(parts)) };
}

/** Tokens of an episode that the next request sends, its line not counted. */
export function leftOf({ id, items, tokens }: Episode, view: View): number {
	const left = tokens - (view.episodes.get(id)?.removedTokens ?? 0);
	return left - sum(items, (item) => view.reduced.get(item.id)?.tokens ?? 0);
}

/** Returns true for an episode of which nothing is left, or only an answer that another one begins with, whatever number of passes that took. */
export function isEvicted(episode: Episode, view: View): boolean {
	const { level } = view.episodes.get(episode.id) ?? {};
	return level === 4 || (level !== undefined && episode.tokens > 0 && leftOf(episode, view) === 0);
}

/** Tokens that leave with these items, results of calls included. */
export function tokensWithResults(graph: Graph, items: readonly Item[]): number {
	return sum(items, ({ id, tokens }) => tokens + (graph.resultOf.get(id)?.tokens ?? 0));
}

/** Answers the tokens that an item takes while it is sent: of a reduced output, what is left of it. */
export function sentSizes({ callOf }: Graph, { reduced }: View): (item: Item) => number {
	if (reduced.size === 0) return ({ tokens }) => tokens;
	return ({ id, tokens }) => tokens - (reduced.get(callOf.get(id) ?? "")?.tokens ?? 0);
}

/**
 * Tokens that no pass takes: the prologue and user turns, without the parts that the user released. A note that a pass took before the
 * host compacted its history may be part of the prologue since; it stays away.
 */
export function keptTokens(graph: Graph, view: View) {
	const isGone = removedBy(graph, view.removed);
	const gone = view.removed.size > 0 ? sumTokens(graph.prologue.filter(isGone)) : 0;
	return {
		prologue: graph.prologueTokens - gone - releasedOf(graph.prologue, view),
		user: graph.userTokens - releasedOf(graph.userMessages, view),
	};
}

/** Tokens that people released of these items; of each at most its own, whatever the log says. */
function releasedOf(items: readonly Item[], { released }: View): number {
	if (released.size === 0) return 0;
	return sum(items, ({ id, tokens }) => Math.min(tokens, released.get(id)?.tokens ?? 0));
}

/** The floor of the next request in tokens, without what was released. Linear in the number of messages of people. */
export function measureFloor({ graph, view, fixed }: RequestContent) {
	const kept = keptTokens(graph, view);
	const opening = graph.prologue.filter(({ type }) => type === "user");
	const written = sumTokens(opening) - releasedOf(opening, view) + kept.user;
	return {
		/** System prompt, tools, prologue and user turns. */
		tokens: fixed.system + fixed.tools + kept.prologue + kept.user,
		/** The part that people wrote: none of it is removed without their consent. */
		written,
	};
}

/**
 * The six components of seed 002 (section 5). `history`: what people and the model wrote, thinking and arguments of calls included. `memory`: lines for evicted
 * episodes, recall pages, and notes of the host such as goal and git status. `output`: the answer to come.
 */
export const budgetComponents = ["system", "tools", "history", "toolResults", "memory", "output"] as const;
export type BudgetComponent = (typeof budgetComponents)[number];

/** The components that items belong to, so that a pass can make them smaller. */
export type ItemComponent = Extract<BudgetComponent, "history" | "toolResults" | "memory">;

/** The unit is tokens. */
type ComponentTokens = Readonly<Record<BudgetComponent, number>>;

/** The requests of which growth is the mean. */
const WINDOW = 5;

/** Answers the component of an item. */
export function componentIn({ callOf, history }: Graph): (item: Item) => ItemComponent {
	return ({ type, id }) => {
		if (type === "note") return "memory";
		if (type !== "result") return "history";
		return history.recalls.has(callOf.get(id) ?? id) ? "memory" : "toolResults";
	};
}

/** The tokens of the next request; of `output`, those of the last answer. All but `output` add up to the request. */
export function measureComponents({ graph, view, fixed }: RequestContent): ComponentTokens {
	const isGone = removedBy(graph, view.removed);
	const componentOf = componentIn(graph);
	const sizeOf = sentSizes(graph, view);
	const sums = { history: 0, toolResults: 0, memory: markerTokens(view) };
	const episodes = retainedEpisodes(graph, view).map(({ items }) => items);
	for (const items of [graph.prologue, graph.userMessages, ...episodes]) {
		for (const item of items) if (!isGone(item)) sums[componentOf(item)] += sizeOf(item);
	}
	const { toolResults, memory } = sums;
	const history = totalTokens({ graph, view, fixed }) - fixed.system - fixed.tools - toolResults - memory;
	const output = sumTokens(graph.messages[graph.lastExchange]?.items ?? []);
	return { ...fixed, history, toolResults, memory, output };
}

/**
 * The items that each request since the host's last compaction added: an answer, and everything up to the next one. A request that
 * failed has an empty answer, and adds nothing of its own. A compaction's summary comes first and is newer than what it kept.
 */
export function addedByRequest({ messages }: Graph): readonly (readonly Item[])[] {
	const at = messages[0]?.time ?? 0;
	const added: Item[][] = [];
	for (const { author, items } of messages.slice(1 + messages.findLastIndex(({ time = at }) => time < at))) {
		if (author === "model" && items.length > 0) added.push([]);
		added.at(-1)?.push(...items);
	}
	return added;
}

/** Tokens that each of the last five of these requests added on average; 0 for components that do not add up. */
export function measureComponentGrowth(graph: Graph): ComponentTokens {
	const componentOf = componentIn(graph);
	const latest = addedByRequest(graph).slice(-WINDOW);
	const mean = (component: ItemComponent) =>
		sumTokens(latest.flat().filter((item) => componentOf(item) === component)) / Math.max(1, latest.length);
	return {
		system: 0,
		tools: 0,
		output: 0,
		history: mean("history"),
		toolResults: mean("toolResults"),
		memory: mean("memory"),
	};
}
