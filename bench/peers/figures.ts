/** The figures of a replay under what others publish, a row for each policy. */
import type { Report } from "#lab";
import { type PricedName, priceReads } from "../read-prices.ts";

export interface PeerRow {
	readonly policy: string;
	/** Shares of the cost without eviction under pressure, one for each model. */
	readonly costs: readonly number[];
	/** Edits whose old text was still in the request, under pressure. */
	readonly editsKept: number;
	/** Requests with thinking that a model which checks prefixes rejects. */
	readonly staleRequests: number;
	/** Repeated calls whose output was gone, as a share of the outputs that left; null if none left. */
	readonly faultRate: number | null;
	/** Tokens that left, each counted once. */
	readonly savedOnce: number;
	/** Requests under pressure above the budget. */
	readonly overBudget: number;
}

export interface PeerFigures {
	readonly replayed: number;
	readonly planned: number;
	readonly pressed: number;
	/** Requests, all and under pressure. */
	readonly requests: number;
	readonly pressedRequests: number;
	/** Tokens. */
	readonly budget: number;
	readonly models: readonly PricedName[];
	readonly rows: readonly PeerRow[];
}

export async function pickPeers({ sessions, budget, policies }: Report): Promise<PeerFigures> {
	const none = policies.find(({ policy }) => policy === "none");
	const models = await priceReads(Object.keys(none?.dollars ?? {}));
	const rows = policies.flatMap(
		({ policy, pressed, grounding, thinking, faults, savedOnce }): readonly PeerRow[] => {
			if (!pressed || !none?.pressed) return [];
			const whole = none.pressed.dollars;
			return [
				{
					...{ policy, savedOnce, overBudget: pressed.overBudget },
					costs: models.map(({ name }) => (pressed.dollars[name] ?? 0) / (whole[name] ?? 1)),
					editsKept: grounding.edit.kept / grounding.edit.needed,
					staleRequests: thinking.requestsWithStale,
					faultRate: faults.evicted === 0 ? null : faults.faults / faults.evicted,
				},
			];
		},
	);
	return {
		...{ replayed: sessions.replayed, planned: sessions.planned, pressed: sessions.pressed },
		...{ requests: none?.requests ?? 0, pressedRequests: none?.pressed?.requests ?? 0 },
		...{ budget, models, rows },
	};
}
