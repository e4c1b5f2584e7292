/**
 * Blocks: the units that seed policies evict. A call with its result is one block, and so is a text or a piece of
 * reasoning. User messages, the prologue and the exchange in progress are not blocks, nor is reasoning that providers
 * still want back.
 */
import {
	beginEviction,
	collectUnits,
	computeLedger,
	type Episode,
	type Eviction,
	episodeByItem,
	evictableIn,
	type Graph,
	type Item,
	isRequiredReasoning,
	makePass,
	type PlanInput,
	type Policy,
	removedBy,
	type VisibleUnits,
} from "#core";
import { enginePolicy } from "./engine.ts";
import type { ReplayPolicy } from "./replay-policy.ts";
import type { SessionTexts } from "./session-texts.ts";

export interface Block {
	readonly type: "output" | "reply" | "thinking";
	readonly episode: Episode;
	/** The call, which stands for its result, or the text. */
	readonly items: readonly Item[];
	readonly tokens: number;
	readonly message: number;
	/** Requests since it came. */
	readonly age: number;
	/** All that it shows, the call's arguments included. */
	text(): string;
}

/** The blocks of one pass, oldest first, and what they are judged by. */
export interface Moment {
	readonly graph: Graph;
	readonly blocks: readonly Block[];
}

/** Scores for the blocks of a moment, in their order: the lowest goes first, of equal ones the oldest. */
export type Scorer = (moment: Moment) => readonly number[];

/** Seed 002 frees down to 60 % of the window once it acts at all (`_active_management`). */
export const LOW_WATER = 0.6;

/**
 * A contender that evicts by rising score from above the budget down to `low`, a share of it. `createScorer` is called
 * once a session.
 */
export function scoringPolicy(
	name: string,
	low: number,
	createScorer: (texts: SessionTexts) => Scorer,
): ReplayPolicy {
	return enginePolicy(name, (texts): Policy => {
		const score = createScorer(texts);
		return { name, plan: (input) => planByScore(name, low, input, texts, score) };
	});
}

function planByScore(name: string, low: number, input: PlanInput, texts: SessionTexts, score: Scorer) {
	const before = computeLedger(input.graph, input.view, input.fixed).total;
	if (before <= input.budget) return undefined;
	const sight = look(input);
	const eviction = beginEviction(input, before, episodeByItem(input.graph, sight));
	const blocks = readBlocks(input.graph, sight, texts);
	const scores = score({ graph: input.graph, blocks });
	const order = blocks.map((block, i) => ({ block, score: scores[i] ?? 0 }));
	evictDownTo(
		low * input.budget,
		eviction,
		order.toSorted((a, b) => a.score - b.score).map(({ block }) => block),
	);
	return makePass(name, input, before, eviction.total(), eviction.strips());
}

function look({ graph, view }: PlanInput): VisibleUnits {
	const left = graph.episodes.filter(({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens);
	return collectUnits(
		graph,
		left,
		removedBy(graph, (id) => view.removed.has(id)),
	);
}

function evictDownTo(target: number, eviction: Eviction, blocks: readonly Block[]) {
	for (const { episode, items } of blocks) {
		if (eviction.total() <= target) return;
		eviction.take(episode, items, 3);
	}
}

function readBlocks(graph: Graph, sight: VisibleUnits, texts: SessionTexts): readonly Block[] {
	const ageOf = requestsSince(graph);
	const isEvictable = evictableIn(graph);
	const block = (type: Block["type"], episode: Episode, items: readonly Item[], tokens: number): Block[] => {
		const message = items[0]?.message ?? 0;
		if (!items.every(isEvictable)) return [];
		const text = () => items.map((item) => texts.textOf(graph, item)).join("\n");
		return [{ type, episode, items, tokens, message, age: ageOf(message), text }];
	};
	const outputs = sight.units.flatMap(({ episode, call, result, items, tokens }) =>
		block("output", episode, items, tokens).map((output) => ({
			...output,
			text: () => [call, ...(result ? [result] : [])].map((item) => texts.textOf(graph, item)).join("\n"),
		})),
	);
	const words = sight.episodes.flatMap((episode) =>
		sight.restOf(episode).flatMap((item) => {
			if (isRequiredReasoning(graph, item)) return [];
			return block(item.type === "reasoning" ? "thinking" : "reply", episode, [item], item.tokens);
		}),
	);
	return [...outputs, ...words].toSorted((a, b) => a.message - b.message);
}

/** Model messages since a message. */
function requestsSince({ messages }: Graph): (message: number) => number {
	let requests = 0;
	const before = messages.map(({ author }) => {
		if (author === "model") requests += 1;
		return requests;
	});
	return (message) => requests - (before[message] ?? 0);
}
