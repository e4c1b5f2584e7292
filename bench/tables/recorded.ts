/**
 * Takes the figures to keep from a replay of recorded sessions: each with its 95 % interval, and with the interval of its difference from
 * compaction over the same draws of sessions.
 */
import { sum } from "#basics";
import {
	drawSessions,
	intervalOf,
	type Parts,
	projectOf,
	type Report,
	ratioOf,
	ratios,
	type SessionFigures,
} from "#replay/report";
import type { Row, Rows } from "../arms.ts";

/** Shares over requests under pressure; costs as shares of no eviction, `charged` with one request more for each look. */
const recordedFigures: Readonly<Record<string, (session: SessionFigures) => Parts>> = {
	cost: ratios.costComparedToNone,
	charged: ratios.chargedCostComparedToNone,
	/** Requests whose step used something that was gone. */
	looks: ({ looks, pressed }) => [looks.count, pressed?.requests ?? 0],
	edits: ratios.edit,
	own: ratios.own,
	names: ratios.name,
	conclusions: ratios.conclusion,
	thinking: ({ thinking }) => [thinking.readable, thinking.all],
};

/** `NAME`, `NAMELow` and `NAMEHigh`; `NAMEMoreLow` and `NAMEMoreHigh` for what it is more than under compaction. */
export function keepReplay({ sessions, policies }: Report): Rows {
	const compaction = policies.find(({ policy }) => policy === "compaction")?.bySession ?? [];
	const draws = drawSessions(compaction.map(({ session }) => projectOf(session)));
	const rows = policies.map(({ policy, pressed, bySession }): [string, Row] => {
		const row: Record<string, number> = { breaks: pressed?.prefixBreaks ?? 0 };
		const note = (name: string, interval: ReturnType<typeof intervalOf>) => {
			if (interval) [row[`${name}Low`], row[`${name}High`]] = interval;
		};
		for (const [name, partsOf] of Object.entries(recordedFigures)) {
			const own = bySession.map(partsOf);
			const other = compaction.map(partsOf);
			const ownInterval = intervalOf(draws, (add) => ratioOf(own, add));
			const difference = intervalOf(draws, (add) => ratioOf(own, add) - ratioOf(other, add));
			row[name] = ratioOf(own, (valueIn) => sum(own.keys(), valueIn));
			note(name, ownInterval);
			if (policy !== "compaction") note(`${name}More`, difference);
		}
		return [policy, row];
	});
	const { replayed, pressed } = sessions;
	return { sessions: { replayed, pressed }, ...Object.fromEntries(rows) };
}
