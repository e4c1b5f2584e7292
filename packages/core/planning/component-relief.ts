/** The first steps of a pass while a component is over its hard limit: what leaves first belongs to that component. */
import { componentIn, type ItemComponent } from "../ledger/component-usage.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";
import { type BatchScene, dispensable, oldReasoning } from "./batch-steps.ts";
import type { Candidate, Score } from "./candidates.ts";

/**
 * Takes from each component that is over its limit until it is smaller by its excess, in the order of the policy. Open
 * episodes, the hot tail, failed calls and what people wrote stay, whatever the limit says.
 */
export function relieveComponents(scene: BatchScene, score: Score): void {
	const { input, sight, eviction } = scene;
	if (!input.relief) return;
	const componentOf = componentIn(input.graph);
	const sent = sight.episodes.flatMap(({ items }) => items.filter((item) => !eviction.gone(item)));
	for (const { component, excess } of input.relief) {
		const own = sent.filter((item) => componentOf(item) === component);
		const isOwn = (candidate: Candidate) => mainComponent(candidate, componentOf) === component;
		const reasoning = component === "history" ? oldReasoning(scene) : [];
		for (const step of [...reasoning, ...dispensable(scene, score, isOwn)]) {
			if (sumTokens(own.filter(eviction.gone)) >= excess) break;
			step();
		}
	}
}

/** The component that most of a candidate counts to: a large edit is history, a read is a tool result. */
function mainComponent(candidate: Candidate, componentOf: (item: Item) => ItemComponent): ItemComponent {
	if (candidate.type === "words") return "history";
	const { call, result } = candidate.unit;
	return result && result.tokens >= call.tokens ? componentOf(result) : "history";
}
