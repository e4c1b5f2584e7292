/** A part of the sessions of a replay, so that several processes or machines can share them. */
import { CwlError } from "#pi";

/** The `number`-th part, from 1, of `of` parts: sessions are dealt out in turn. */
export interface Shard {
	readonly number: number;
	readonly of: number;
}

export const wholeRun: Shard = { number: 1, of: 1 };

/** Reads `3/16`. @throws CwlError `bad-shard` */
export function parseShard(text: string): Shard {
	const [, number, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
	const shard = { number: Number(number), of: Number(of) };
	if (shard.number >= 1 && shard.number <= shard.of) return shard;
	throw new CwlError(
		"bad-shard",
		`shard is ${JSON.stringify(text)}: use NUMBER/OF, such as 3/16, with a number from 1 to the number of shards.`,
	);
}

/** Returns true if the session at this place of the plan, from 0, belongs to the shard. */
export function isInShard(place: number, { number, of }: Shard): boolean {
	return place % of === number - 1;
}
