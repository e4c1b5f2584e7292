/**
 * Regret: content that a pass evicted and the agent then read again, found by the lines of the outputs. An agent may
 * also read again what it still sees, or what it changed since; only lines whose last showing was evicted count.
 */

import { sum } from "#basics";
import type { Graph } from "../graph/graph.ts";
import { MIN_REPEATED_SHARE, type RepeatedRead } from "../graph/history.ts";
import type { ItemId, ToolCall } from "../transcript/transcript.ts";
import type { View } from "./view.ts";

export interface Regret {
	/** The call that read it again; it may be a recall. */
	readonly call: ToolCall;
	/** The evicted calls that had shown it. */
	readonly of: readonly ToolCall[];
	/** Tokens of its result, in proportion to the lines that had been evicted. */
	readonly tokens: number;
	/** The pass, counted from 1, that evicted most of those lines. */
	readonly pass: number;
	/** Number of times that the same content was read again, this time included. */
	readonly times: number;
}

/** The regrets of a session, oldest first; none if the log does not say when its passes were made. */
export function findRegrets({ history }: Graph, { departures }: View): readonly Regret[] {
	const { repeats, messageOf } = history.contents();
	const times = new Map<ItemId, number>();
	const regrets: Regret[] = [];
	for (const repeat of repeats) {
		const { of, shares, earlier } = evictedShares(repeat, departures, messageOf, times);
		const share = sum(shares.values()) / repeat.lines;
		if (share < MIN_REPEATED_SHARE) continue;
		const { call, tokens } = repeat;
		times.set(call.id, earlier + 1);
		const [pass] = [...shares].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
		regrets.push({ call, of, tokens: Math.round(share * tokens), pass, times: earlier + 1 });
	}
	return regrets;
}

/** The lines of a repeated read that each pass had evicted before it, and how often they were read again before. */
function evictedShares(
	{ call, shownBy }: RepeatedRead,
	departures: View["departures"],
	messageOf: ReadonlyMap<ItemId, number>,
	times: ReadonlyMap<ItemId, number>,
) {
	const shares = new Map<number, number>();
	const of: ToolCall[] = [];
	let earlier = 0;
	for (const [shown, lines] of shownBy) {
		const departure = departures.get(shown.id);
		if (!departure || (messageOf.get(departure.newest) ?? Infinity) >= call.message) continue;
		shares.set(departure.pass, (shares.get(departure.pass) ?? 0) + lines);
		earlier = Math.max(earlier, times.get(shown.id) ?? 0);
		of.push(shown);
	}
	return { of, shares, earlier };
}
