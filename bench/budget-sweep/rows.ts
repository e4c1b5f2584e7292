/** The figures of a sweep: one row for each setting, over all sessions under pressure. */
import type { Arm, SessionReplay, SweepRow } from "#lab";
import { PRICE_LISTS } from "./arms.ts";

/** A session counts as more expensive beyond this share of its cost without eviction. */
const MORE_EXPENSIVE = 1.02;

/** The first arm is the one without eviction. */
export function summarizeSweep(arms: readonly Arm[], replays: readonly SessionReplay[]): readonly SweepRow[] {
	return arms.map(({ name, budget }, arm) => {
		const results = replays.flatMap(({ results }) => results[arm] ?? []);
		const total = (of: (result: (typeof results)[number]) => number) =>
			results.reduce((sum, result) => sum + of(result), 0);
		const requests = total(({ pressed }) => pressed.requests);
		const costs = PRICE_LISTS.map((_, list) => {
			const own = total(({ pressed }) => pressed.costs[list] ?? 0);
			const none = replays.reduce((sum, replay) => sum + (replay.results[0]?.pressed.costs[list] ?? 0), 0);
			return own / none;
		});
		const moreExpensive = PRICE_LISTS.map(
			(_, list) =>
				replays.filter(({ results: all }) => {
					const [own, none] = [all[arm]?.pressed.costs[list], all[0]?.pressed.costs[list]];
					return own !== undefined && none !== undefined && own > MORE_EXPENSIVE * none;
				}).length,
		);
		return {
			...{ name, budget, costs, moreExpensive },
			breaks: (100 * total(({ pressed }) => pressed.breaking)) / requests,
			meanContext: total(({ pressed }) => pressed.tokens) / requests,
			maxContext: Math.max(0, ...results.map(({ all }) => all.maxContext)),
			editsKept: share(
				total(({ grounding }) => grounding.edit.kept),
				total(({ grounding }) => grounding.edit.needed),
			),
			editsAcrossTurnsKept: share(
				total(({ grounding }) => grounding.editCross.kept),
				total(({ grounding }) => grounding.editCross.needed),
			),
			thinkingReadable: share(
				total(({ thinking }) => thinking.readable),
				total(({ thinking }) => thinking.all),
			),
			requestsWithStale: total(({ thinking }) => thinking.requestsWithStale),
		};
	});
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}
