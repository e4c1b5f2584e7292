/** Checks of rules on the views before and after a request, which property tests and `npm run fuzz` share. Each lists what breaks the rule. */
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";

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
