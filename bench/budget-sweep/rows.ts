/** The figures of a sweep: one row for each setting, over all sessions under pressure. */
import type { Arm, SessionReplay, SweepRow } from "#lab";
import { PRICE_LISTS } from "./arms.ts";

/** A session counts as more expensive beyond this share of its cost without eviction. */
const MORE_EXPENSIVE = 1.02;

/** The first arm is the one without eviction. */
export function summarizeSweep(arms: readonly Arm[], replays: readonly SessionReplay[]): readonly SweepRow[] {
	const worst = findWorst(replays);
	const others = replays.filter((replay) => replay !== worst);
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
			...keptEdits(results),
			withoutWorst: keptEdits(others.flatMap(({ results }) => results[arm] ?? [])),
			thinkingReadable: share(
				total(({ thinking }) => thinking.readable),
				total(({ thinking }) => thinking.all),
			),
			thinkingReadableUnderPressure: share(
				total(({ thinkingUnderPressure }) => thinkingUnderPressure.readable),
				total(({ thinkingUnderPressure }) => thinkingUnderPressure.all),
			),
			requestsWithStale: total(({ thinking }) => thinking.requestsWithStale),
		};
	});
}

type Needs = Pick<SessionReplay["results"][number]["grounding"], "edit" | "editCross">;

interface Grounded {
	readonly grounding: Needs;
}

function keptEdits(results: readonly Grounded[]) {
	const kept = (kind: keyof Needs) => {
		const sum = (of: "kept" | "needed") =>
			results.reduce((total, { grounding }) => total + grounding[kind][of], 0);
		return share(sum("kept"), sum("needed"));
	};
	return { editsKept: kept("edit"), editsAcrossTurnsKept: kept("editCross") };
}

/** The session with most missed edits, all arms together. */
export function findWorst<Session extends { readonly results: readonly Grounded[] }>(
	sessions: readonly Session[],
): Session | undefined {
	const missed = ({ results }: Session) =>
		results.reduce((sum, { grounding: { edit } }) => sum + edit.needed - edit.kept, 0);
	return sessions.toSorted((a, b) => missed(b) - missed(a))[0];
}

function share(part: number, whole: number): number | null {
	return whole === 0 ? null : part / whole;
}
