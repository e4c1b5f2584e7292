/** Checks of rules on the views before and after a request, which property tests and `npm run fuzz` share. Each lists what breaks the rule. */
import { sum } from "#basics";
import type { EpisodeId, Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { sentBy } from "../projection/projection.ts";
import { type Item, isBlank, sumTokens } from "../transcript/transcript.ts";

/** Rule 5: expls that left before every act that declared them had gone. An act may declare an expl that has left already. */
export function leftTooEarly(graph: Graph, before: View["episodes"], after: View["episodes"], pass: Pass) {
	return pass.strips.flatMap(({ episode, level, items }) => {
		if (level !== 4 || items.length === 0 || before.get(episode)?.level === 4) return [];
		const dependents = graph.episodes.filter(({ dependencies }) => dependencies.includes(episode));
		return dependents.filter(({ id }) => after.get(id)?.level !== 4).map(({ id }) => [episode, id]);
	});
}

/** Of each episode its level, and of each reduced output its form. */
export interface Levels {
	readonly episodes: ReadonlyMap<string, { readonly level: number }>;
	readonly reduced: View["reduced"];
}

/** Rule 7: episodes whose level fell, and outputs that show more again. */
export function fellBack(before: Levels, { episodes, reduced, removed }: View): readonly string[] {
	const fallen = [...before.episodes].filter(([id, { level }]) => (episodes.get(id)?.level ?? 0) < level);
	const brighter = [...before.reduced].filter(
		([id, { form }]) => !removed.has(id) && (reduced.get(id)?.form ?? 0) < form,
	);
	return [...fallen, ...brighter].map(([id]) => id);
}

/**
 * Rules 8 and 9, in tokens: a request above its budget names what blocks it, and the sizes of a pass are those of its request,
 * which was counted as `tokens` and is of `size`.
 */
export function wrongSizes(
	tokens: number,
	size: number,
	budget: number,
	pass: Pass | undefined,
): readonly string[] {
	const { blockers = [], before = tokens, after = tokens } = pass ?? {};
	const named = sumTokens(blockers);
	const isBlocked = blockers.length > 0;
	const faults = {
		[`a request of ${size} tokens was counted as ${tokens}`]: size > tokens,
		[`${tokens} of ${budget} tokens and no blocker`]: tokens > budget && !isBlocked,
		"blockers below the budget": after <= budget && isBlocked,
		[`blockers of ${named} tokens in ${after}`]: isBlocked && named !== after,
		[`a pass from ${before} to ${after} tokens`]: pass !== undefined && after > before,
		[`a pass says ${after} tokens, the request ${tokens}`]: after !== tokens,
	};
	return Object.entries(faults).flatMap(([fault, isTrue]) => (isTrue ? fault : []));
}

/** Rule 13: failed calls that are gone before their episode. */
export function lostFailures(graph: Graph, view: View): readonly Item[] {
	const isSent = sentBy(graph, view);
	const left = graph.episodes.filter(({ id }) => view.episodes.get(id)?.level !== 4);
	return left.flatMap(({ items }) =>
		items.filter((item) => {
			const result = graph.resultOf.get(item.id);
			return result?.isError && !(isSent(item) && isSent(result));
		}),
	);
}

/** Returns true for an episode that a line of the request names. */
const namedIn =
	({ episodes, indexLines }: View) =>
	(id: EpisodeId) =>
		episodes.get(id)?.marker !== undefined || indexLines.some((line) => line.episodes.includes(id));

/** Episodes of which the agent's words left without a line, although nothing but them had to leave: the budget was met. */
export function silentlyLeft(graph: Graph, view: View, { strips, before, budget }: Pass) {
	if (before > budget) return [];
	const isNamed = namedIn(view);
	const items = graph.messages.flatMap((message) => message.items);
	const words = new Set(items.filter((item) => item.type === "text" && !isBlank(item)).map(({ id }) => id));
	return strips.filter(({ episode, items: taken }) => !isNamed(episode) && taken.some((id) => words.has(id)));
}

/** Unmarked episodes of which outputs left without a line that is shorter; `longest` is the size of a line, in tokens. */
export function unnamedOutputs({ episodes, resultOf }: Graph, view: View, { strips }: Pass, longest: number) {
	const isNamed = namedIn(view);
	const unmarked = new Set(episodes.flatMap(({ id, origin }) => (origin === "inferred" ? id : [])));
	return strips.filter(({ episode, items }) => {
		const outputs = sum(items, (id) => resultOf.get(id)?.tokens ?? 0);
		return unmarked.has(episode) && outputs >= longest && !isNamed(episode);
	});
}
