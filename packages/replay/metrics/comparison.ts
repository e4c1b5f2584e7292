/** Compares two policies on the same sessions, with the uncertainty from the choice of sessions. */
import { type BootstrapInput, bootstrap, type Interval } from "./bootstrap.ts";
import { type Grounding, type GroundingCount, type GroundingKind, totalGrounding } from "./grounding.ts";
import type { Cost } from "./traffic.ts";

/** The part of one session that a comparison uses: the requests under pressure. */
export interface ComparedSession {
	readonly cost: Cost;
	readonly grounding: Grounding;
}

export interface Comparison {
	/** Cost as a share of the other policy's; null where that cost nothing. */
	readonly cost: Readonly<Record<keyof Cost, Estimate | null>>;
	/** Share of needs kept, less the other policy's; null without needs. */
	readonly grounding: Readonly<Record<GroundingKind, Estimate | null>>;
	/** Of all needs, each once. */
	readonly needs: Estimate | null;
}

/** A figure with its 95 % interval; null bounds where sessions are too few to tell. */
export interface Estimate {
	readonly value: number;
	readonly low: number | null;
	readonly high: number | null;
}

/** Compare session by session; both lists hold the same sessions in the same order. */
export function compare(
	sessions: readonly ComparedSession[],
	others: readonly ComparedSession[],
): Comparison {
	const costs = (provider: keyof Cost) =>
		estimate({
			rows: sessions.map(({ cost }, i) => [cost[provider], others[i]?.cost[provider] ?? 0]),
			statistic: ([own = 0, other = 0]) => own / other,
		});
	const kept = (kind: GroundingKind) => keptDifference(sessions, others, ({ grounding }) => grounding[kind]);
	return {
		cost: { anthropic: costs("anthropic"), openai: costs("openai") },
		grounding: {
			edit: kept("edit"),
			editCross: kept("editCross"),
			self: kept("self"),
			path: kept("path"),
			pathCross: kept("pathCross"),
			ident: kept("ident"),
		},
		needs: keptDifference(sessions, others, ({ grounding }) => totalGrounding(grounding)),
	};
}

/** The share of needs that one side keeps, less the other's; null without needs. */
export function keptDifference<Session>(
	sessions: readonly Session[],
	others: readonly Session[],
	countOf: (session: Session) => GroundingCount,
): Estimate | null {
	return estimate({
		rows: sessions.map((session, i) => {
			const other = others[i];
			const { needed, kept } = countOf(session);
			return [other === undefined ? 0 : kept - countOf(other).kept, needed];
		}),
		statistic: ([more = 0, needed = 0]) => more / needed,
	});
}

function estimate(input: BootstrapInput): Estimate | null {
	const columns = input.rows[0]?.length ?? 0;
	const sums = Array.from({ length: columns }, (_, column) =>
		input.rows.reduce((sum, row) => sum + (row[column] ?? 0), 0),
	);
	const value = input.statistic(sums);
	if (!Number.isFinite(value)) return null;
	const interval: Interval | undefined = bootstrap(input);
	return { value, low: interval?.low ?? null, high: interval?.high ?? null };
}
