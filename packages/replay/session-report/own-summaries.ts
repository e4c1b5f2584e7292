/** The model calls that the compactions of a session made: as newer versions of pi record their usage, or counted as pi makes them. */
import { type CountTokens, fieldsOf, sum } from "#basics";
import { isAnswer } from "#pi/codec";
import type { OldSession } from "#pi/session";
import { type PriceList, type PriceListOf, priceCall } from "../metrics/prices.ts";
import { summaryCalls, turnBefore } from "../policies/compaction.ts";
import { recordedUsage } from "../readers/message-parts.ts";
import type { MessageSizes } from "../recording/recording.ts";
import { chargeUsage } from "./bills.ts";

/** The calls of one compaction. */
export interface OwnSummaries {
	/** The first request after it, or the last of all, counted from 0. */
	readonly request: number;
	readonly count: number;
	/** In dollars. */
	readonly cost: number;
}

interface SummarySettings {
	readonly count: CountTokens;
	readonly sizes: MessageSizes;
	readonly pricesOf: PriceListOf;
}

/** A compaction without a summary asked no model for one. */
export function ownSummaries(
	{ messages, branch, compactions = [] }: OldSession,
	{ count, sizes, pricesOf }: SummarySettings,
): readonly OwnSummaries[] {
	const recorded = branch.filter(({ type }) => type === "compaction");
	const answers = messages.filter(isAnswer);
	return compactions.flatMap(({ position, firstKept, summary }, index) => {
		if (summary === "") return [];
		const before = compactions[index - 1];
		const start = before?.firstKept ?? 0;
		const cut = { first: firstKept, turn: turnBefore(messages, start, firstKept) };
		const text = { tokens: count(summary), previous: before ? count(before.summary) : 0 };
		const calls = summaryCalls(messages, start, cut, text, { count, sizes });
		const earlier = messages.slice(0, position).filter(isAnswer);
		const request = Math.min(earlier.length, answers.length - 1);
		// pi asks the model in use, which had answered before.
		const prices = pricesOf(earlier.at(-1));
		const cost = recordedCost(recorded[index], prices) ?? sum(calls.map((call) => priceCall(call, prices)));
		return [{ request, count: calls.length, cost }];
	});
}

function recordedCost(entry: object | undefined, prices: PriceList): number | undefined {
	const usage = recordedUsage(fieldsOf(entry).usage);
	return usage.totalTokens > 0 ? chargeUsage(usage, prices).cost : undefined;
}
