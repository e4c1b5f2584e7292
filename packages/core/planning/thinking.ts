/**
 * Design rule 19. Providers bind each piece of thinking to everything that was sent before it, and to the piece before
 * it: after a change at position k, thinking that was produced earlier and stands behind k is refused or dropped. It
 * therefore leaves with the change, for good. Thinking in front of k stays valid, and what is kept is one contiguous run.
 */
import type { EpisodeId, Graph } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass, type Strip } from "../log/pass.ts";
import { retainedEpisodes, type View, viewAfter, viewOfLog } from "../log/view.ts";
import { type ProjectedPart, project } from "../projection/projection.ts";
import { type Item, type Reasoning, sumTokens } from "../transcript/transcript.ts";
import { findBlockers, newPass } from "./make-pass.ts";
import type { PlanInput } from "./policy.ts";

export type ThinkingInput = Pick<
	PlanInput,
	"graph" | "view" | "fixed" | "budget" | "keepsLoopThinking" | "model" | "pinned"
>;

/** The policy of an entry that says: the prefix changed here, although no pass was made. */
const PREFIX_CHANGED = "prefix changed";

/** Returns true if a log entry records a changed prefix, and is not a pass that could be taken back. */
export function isPrefixChange({ policy }: Pick<Pass, "policy">): boolean {
	return policy === PREFIX_CHANGED;
}

/** The pass with the thinking that it makes invalid. Idempotent; a pass that changes nothing is answered as it is. */
export function forfeitThinking(input: ThinkingInput, pass: Pass): Pass {
	if (!changesContext(pass)) return pass;
	const { graph, view } = input;
	// Without thinking nobody has to find the change, which takes two projections of the session.
	if (thinkingFrom(input, view, 0).length === 0) return pass;
	const next = viewAfter(view, pass);
	const thinking = thinkingFrom(input, next, firstChange(graph, view, next));
	if (thinking.length === 0) return pass;
	const forfeited = sumTokens(thinking);
	const after = pass.after - forfeited;
	const strips = addThinking(graph, next, pass.strips, thinking);
	// The pass knows its own limit, which under an automatic budget is below that of the input.
	const isBlocked = pass.blockers.length > 0 && after > pass.budget;
	const reduced = () => viewAfter(view, { ...pass, strips: [], indexLines: [], releases: [] });
	const blockers = isBlocked ? findBlockers({ ...input, view: reduced() }, strips, after) : [];
	return { ...pass, after, strips, forfeited: (pass.forfeited ?? 0) + forfeited, blockers };
}

/**
 * The log entry for a change that no pass makes: what was sent under `before` is sent under `input.view` from now on.
 * Undefined when no thinking stands behind the change.
 */
export function planPrefixChange(input: ThinkingInput, before: View): Pass | undefined {
	return planChangeAt(input, firstChange(input.graph, before, input.view));
}

/** The same for a change at a known message, such as 0 for another system prompt or another set of tools. */
export function planChangeAt(input: ThinkingInput, message: number): Pass | undefined {
	const { graph, view } = input;
	const thinking = thinkingFrom(input, view, message);
	if (thinking.length === 0) return undefined;
	const before = totalTokens(input);
	const strips = addThinking(graph, view, [], thinking);
	const forfeited = sumTokens(thinking);
	return newPass(input, PREFIX_CHANGED, { before, after: before - forfeited }, { strips, forfeited });
}

/** The view that takes nothing but thinking which is gone for good: what is sent while eviction is switched off. */
export function thinkingOnly(graph: Graph, { removed }: View): View {
	const thinking = graph.reasoning.filter(({ id }) => removed.has(id));
	const strips = addThinking(graph, viewOfLog([]), [], thinking);
	const sizes = { budget: 0, before: 0, after: 0 };
	return viewOfLog([{ version: 1, policy: PREFIX_CHANGED, ...sizes, strips, blockers: [] }]);
}

/** Thinking in messages from an index on that a view still sends. Providers refuse parts of a message: all of it goes. */
function thinkingFrom(
	{ graph, keepsLoopThinking = false, model }: ThinkingInput,
	{ removed }: View,
	message: number,
): readonly Item[] {
	const { reasoning, openLoop, messages } = graph;
	const from = message === 0 ? 0 : reasoning.findLastIndex((item) => item.message < message) + 1;
	// The answer to a request that failed is empty, and the host sends nothing of it.
	const answer = messages.findLastIndex(({ author, items }) => author === "model" && items.length > 0);
	const kept = keepsLoopThinking ? Math.min(openLoop, answer) : Infinity;
	// Thinking of another model is not sent now, and would be invalid once that model is in use again.
	const isKept = (item: Reasoning) => item.message >= kept && (!model || (item.sealedBy ?? model) === model);
	return reasoning.slice(from).filter((item) => !isKept(item) && !removed.has(item.id));
}

function addThinking(
	graph: Graph,
	view: View,
	strips: readonly Strip[],
	thinking: readonly Item[],
): readonly Strip[] {
	const byEpisode = new Map<EpisodeId, Strip>(strips.map((strip) => [strip.episode, strip]));
	const wanted = new Set(thinking);
	for (const { id, items } of retainedEpisodes(graph, view)) {
		const own = items.filter((item) => wanted.has(item));
		if (own.length === 0) continue;
		const strip = byEpisode.get(id) ?? {
			episode: id,
			level: view.episodes.get(id)?.level ?? 1,
			items: [],
			tokens: 0,
		};
		const taken = [...strip.items, ...own.map((item) => item.id)];
		byEpisode.set(id, { ...strip, items: taken, tokens: strip.tokens + sumTokens(own) });
	}
	return [...byEpisode.values()];
}

/**
 * Index of the first message that two views send differently; `graph.messages.length` when they send the same.
 * Linear in the history.
 */
export function firstChange(graph: Graph, before: View, after: View): number {
	const old = project(graph, before);
	const now = project(graph, after);
	const end = Math.max(old.length, now.length);
	for (let index = 0; index < end; index += 1) {
		const a = old[index];
		const b = now[index];
		if (JSON.stringify(a) === JSON.stringify(b)) continue;
		const changed = Math.min(a?.message ?? Infinity, b?.message ?? Infinity);
		const hasLine = [old, now].some((parts) => hasLineInAnswers(graph, parts.slice(index)));
		return hasLine ? beforeAnswers(graph, old.slice(0, index), changed) : changed;
	}
	return graph.messages.length;
}

/** Returns true if a line stands among the leading answers, which have no results. */
function hasLineInAnswers({ messages }: Graph, parts: readonly ProjectedPart[]): boolean {
	const end = parts.findIndex(({ type, message }) => {
		const { author, items } = messages[message] ?? { author: "user", items: [] };
		return type === "marker" || (author !== "model" && items.length > 0);
	});
	return parts[end]?.type === "marker";
}

/** Hosts may set a line in front of answers that have no results yet: the place before these is where the change may be. */
function beforeAnswers({ messages }: Graph, kept: readonly ProjectedPart[], changed: number): number {
	let first = changed;
	for (const { type, message } of kept.toReversed()) {
		const { author, items } = messages[message] ?? { author: "user", items: [] };
		if (type === "marker" || (author !== "model" && items.length > 0)) break;
		first = message;
	}
	return first;
}
