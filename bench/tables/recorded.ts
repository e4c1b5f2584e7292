/**
 * Takes the figures to keep from a replay of recorded sessions: each with its 95 % interval, and with the interval of its difference from
 * compaction over the same draws of sessions.
 */
import { sum } from "#basics";
import { chargedCostOf, costOf, drawSessions, intervalOf, projectOf, type Report } from "#replay/report";
import type { Row, Rows } from "../arms.ts";

type Session = Report["policies"][number]["bySession"][number];
/** The parts of a figure that is a ratio of two sums over sessions. */
type Parts = readonly [above: number, below: number];

const costWithoutEviction = (session: Session) =>
	session.costComparedToNone ? costOf(session) / session.costComparedToNone : 0;

const keptOf =
	(kind: keyof Session["grounding"]) =>
	({ grounding }: Session): Parts => [grounding[kind].kept, grounding[kind].needed];

/** Shares over requests under pressure; costs as shares of no eviction. */
const recordedFigures: Readonly<Record<string, (session: Session) => Parts>> = {
	cost: (session) => [costOf(session), costWithoutEviction(session)],
	/** With one request more for each look. */
	charged: (session) => [chargedCostOf(session), costWithoutEviction(session)],
	/** Requests whose step used something that was gone. */
	looks: ({ looks, pressed }) => [looks.count, pressed?.requests ?? 0],
	edits: keptOf("edit"),
	own: keptOf("own"),
	names: keptOf("name"),
	conclusions: keptOf("conclusion"),
	thinking: ({ thinking }) => [thinking.readable, thinking.all],
};

/** `NAME`, `NAMELow` and `NAMEHigh`; `NAMEMoreLow` and `NAMEMoreHigh` for what it is more than under compaction. */
export function keepReplay({ sessions, policies }: Report): Rows {
	const compaction = policies.find(({ policy }) => policy === "compaction")?.bySession;
	const draws = drawSessions(compaction?.map(({ session }) => projectOf(session)) ?? []);
	const rows = policies.map(({ policy, pressed, bySession }): [string, Row] => {
		const row: Record<string, number> = { breaks: pressed?.prefixBreaks ?? 0 };
		const note = (name: string, interval: readonly [number, number] | null) => {
			if (interval) [row[`${name}Low`], row[`${name}High`]] = interval;
		};
		for (const [name, partsOf] of Object.entries(recordedFigures)) {
			const own = bySession.map(partsOf);
			const other = compaction?.map(partsOf) ?? [];
			type Sum = (valueIn: (session: number) => number) => number;
			const ratio = (parts: readonly Parts[], add: Sum) =>
				add((session) => parts[session]?.[0] ?? 0) / add((session) => parts[session]?.[1] ?? 0);
			row[name] = ratio(own, (valueIn) => sum(own.map((_, session) => valueIn(session))));
			note(
				name,
				intervalOf(draws, (add) => ratio(own, add)),
			);
			if (policy === "compaction") continue;
			note(
				`${name}More`,
				intervalOf(draws, (add) => ratio(own, add) - ratio(other, add)),
			);
		}
		return [policy, row];
	});
	const { replayed, pressed } = sessions;
	return { sessions: { replayed, pressed }, ...Object.fromEntries(rows) };
}
