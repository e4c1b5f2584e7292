/**
 * Spent outputs: what the score of a policy gives almost no chance of a second look. They leave when a turn begins, as long
 * as they stand near enough to the end of the context for that to pay. This serves sessions whose model marks nothing.
 */
import { timelineOf } from "../graph/history.ts";
import { sentSizes } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { removedBy } from "../log/whole-calls.ts";
import { isUntouched } from "./batch-policy.ts";
import { createEpisodeEviction, draftPass } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, likelyRequests, usualPrices } from "./payoff.ts";
import type { PlanInput } from "./policy.ts";
import { type CreateScore, candidateOf, isEvictableUnit, type Unit } from "./units.ts";

/** An output with at most this score is spent: on recorded sessions one in a hundred of them is looked at again. */
const SPENT_SCORE = -10;
const CHANCE_OF_SECOND_LOOK = 0.01;
/** Lost thinking counts here as if this share of it were thought again: a cut further back must free that much more. */
const FEARED_RETHOUGHT_SHARE = 0.5;

/** A pass over all spent outputs, with its figures; undefined if there are none. Linear in what is visible. */
export function planSpentPass(
	input: PlanInput,
	policy: string,
	before: number,
	createScore: CreateScore,
): Pass | undefined {
	const { visible, eviction, isEvictable } = draftPass(input, before);
	const score = createScore({ input, visible, time: timelineOf(input.graph.history) });
	const isSpent = (unit: Unit) => {
		if (!unit.isWork || unit.episode.isKept || isUntouched(input, unit.episode)) return false;
		if (!isEvictableUnit(unit, isEvictable)) return false;
		return score(candidateOf(unit)) <= SPENT_SCORE;
	};
	const closer = createEpisodeEviction(input, visible, eviction, { isSpared: () => false });
	for (const unit of nearEnd(input, visible.units.filter(isSpent))) {
		eviction.takeUnit(unit);
		closer.close(unit.episode);
	}
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const pass = makePass(policy, input, before, eviction.total(), strips);
	return decidePass(input, pass, "turn begins", CHANCE_OF_SECOND_LOOK);
}

/**
 * Those of the units from the message on where a cut saves most: what stands further back costs more, in tokens that are
 * written again and in thinking that is lost, than it frees. Linear in the history.
 */
function nearEnd(input: PlanInput, units: readonly Unit[]): readonly Unit[] {
	const { graph, view } = input;
	const { read, write, output } = input.prices ?? usualPrices;
	const horizon = likelyRequests(graph);
	const sizeOf = sentSizes(graph, view);
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const freedAt = new Map<number, number>();
	for (const { call, tokens } of units) freedAt.set(call.message, (freedAt.get(call.message) ?? 0) + tokens);
	let [freed, behind, thinking, most, cut] = [0, 0, 0, 0, Infinity];
	for (let message = graph.messages.length - 1; message >= 0; message -= 1) {
		for (const item of graph.messages[message]?.items ?? []) {
			if (isGone(item)) continue;
			behind += sizeOf(item);
			if (item.type === "reasoning") thinking += item.tokens;
		}
		const here = freedAt.get(message);
		if (here === undefined) continue;
		freed += here;
		const rewritten = Math.max(0, behind - freed - thinking);
		const saved =
			freed * read * horizon - rewritten * (write - read) - FEARED_RETHOUGHT_SHARE * thinking * output;
		if (saved > most) [most, cut] = [saved, message];
	}
	return units.filter(({ call }) => call.message >= cut);
}
