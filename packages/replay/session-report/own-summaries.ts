/** The model calls that the compactions of a session made: as newer versions of pi record their usage, or counted as pi makes them. */
import { type CountTokens, fieldsOf, sum } from "#basics";
import { isAnswer } from "#pi/codec";
import type { OldSession } from "#pi/session";
import { type PriceList, type PriceListOf, priceCall } from "../metrics/prices.ts";
import { summaryCalls, turnBefore } from "../policies/compaction.ts";
import type { ExtraCall } from "../policies/replay-policy.ts";
import { recordedUsage } from "../readers/message-parts.ts";
import { measureScale, scaleCounter } from "../recording/calibration.ts";
import { createSizes } from "../recording/recording.ts";
import { chargeUsage } from "./bills.ts";

/**
 * The calls of each compaction: their number, their input tokens, their cost in dollars, and the first request after it, or the
 * last of all, counted from 0. A compaction without a summary asked no model for one. An estimate goes by what came before it alone, so
 * that it is the same on every branch that is open later.
 */
export function ownSummaries(
	old: OldSession,
	{ count, pricesOf }: { readonly count: CountTokens; readonly pricesOf: PriceListOf },
) {
	const { messages, branch, compactions = [] } = old;
	const entries = branch.filter(({ type }) => type === "compaction");
	const answers = messages.filter(isAnswer).length;
	return compactions.flatMap(({ position, summary }, index) => {
		if (summary === "") return [];
		const entry = entries[index];
		const before = {
			...old,
			messages: messages.slice(0, position),
			compactions: compactions.slice(0, index + 1),
			branch: entry ? branch.slice(0, branch.indexOf(entry) + 1) : branch,
		};
		const earlier = before.messages.filter(isAnswer);
		// pi asks the model in use, which had answered before.
		const prices = pricesOf(earlier.at(-1));
		const calls = lastCalls(before, count);
		const { tokens, cost } = recordedCharge(entry, prices) ?? {
			tokens: sum(calls.map(({ input }) => input)),
			cost: sum(calls.map((call) => priceCall(call, prices))),
		};
		return [{ request: Math.min(earlier.length, answers - 1), count: calls.length, tokens, cost }];
	});
}

/** The calls of the compaction that a session ends with, in the provider's tokens where its answers have usage. */
function lastCalls(session: OldSession, ownCount: CountTokens): readonly ExtraCall[] {
	const { messages, compactions = [] } = session;
	const before = compactions.at(-2);
	const last = compactions.at(-1);
	if (!last) return [];
	const count = scaleCounter(ownCount, measureScale(session, ownCount));
	const start = before?.firstKept ?? 0;
	const first = last.firstKept;
	// Where nothing was kept, no turn was cut in two.
	const turn = first < messages.length ? turnBefore(messages, start, first) : first;
	const text = { tokens: count(last.summary), previous: before ? count(before.summary) : 0 };
	return summaryCalls(messages, start, { first, turn }, text, { count, sizes: createSizes(count) });
}

function recordedCharge(entry: object | undefined, prices: PriceList) {
	const usage = recordedUsage(fieldsOf(entry).usage);
	return usage.totalTokens > 0 ? chargeUsage(usage, prices) : undefined;
}
