/** A naive Algorithm 1: starts from scratch for each request, and counts everything again at every step. */
import { componentOf, type Episode, type Graph } from "#core/graph";
import type { FixedTokens } from "#core/ledger";
import { removedBy } from "#core/log";
import { itemsAtLevel } from "#core/planning";
import type { ItemId, ToolTable } from "#core/transcript";

const ranks = ["act", "expl", "unannotated"];
const levels = [1, 2, 3, 4] as const;

/** Strips until the budget is met or nothing is left, and yields the remaining tokens after each level. */
export function* stripNaively(
	graph: Graph,
	budget: number,
	fixed: FixedTokens,
	tools: ToolTable,
): Generator<number> {
	const gone = new Set<ItemId>();
	const done = new Set<string>();
	const isGone = removedBy(graph, (id) => gone.has(id));
	const count = () => {
		const items = graph.messages.flatMap((message) => message.items);
		return items.reduce((sum, item) => sum + (isGone(item) ? 0 : item.tokens), fixed.system + fixed.tools);
	};
	let total = count();
	yield total;
	while (total > budget) {
		const target = chooseTarget(graph, done);
		if (!target) return;
		for (const level of levels) {
			for (const { id } of itemsAtLevel(graph, target, level, isGone, tools)) gone.add(id);
			total = count();
			yield total;
			if (total <= budget) return;
		}
		done.add(target.id);
	}
}

/** Acts, then expls, then unannotated content, each oldest first; nothing that a remaining episode depends on. */
function chooseTarget(graph: Graph, done: ReadonlySet<string>): Episode | undefined {
	const { episodes } = graph;
	const left = episodes.filter(({ id }) => !done.has(id));
	const needed = new Set(left.flatMap(({ dependencies }) => dependencies));
	const candidates = left.filter(({ id, state }) => state === "closed" && !needed.has(id));
	const rank = (episode: Episode) => ranks.indexOf(componentOf(graph, episode));
	return candidates.toSorted((a, b) => rank(a) - rank(b))[0];
}
