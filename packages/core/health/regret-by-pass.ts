/** The regret of each pass: its cost in content that was read again, in addition to the cost of the cache. */
import type { Pass } from "../log/pass.ts";
import type { Regret } from "./regret.ts";

export interface PassRegret {
	/** Number of the pass, counted from 1. */
	readonly pass: number;
	/** Tokens that it took. */
	readonly taken: number;
	/** Tokens of it that were read again since. */
	readonly regretted: number;
}

/** A row for each pass of the log. What was read again twice counts twice, since it was paid twice. */
export function sumRegretByPass(
	log: readonly Pick<Pass, "strips">[],
	regrets: readonly Regret[],
): readonly PassRegret[] {
	return log.map(({ strips }, index) => {
		const own = regrets.filter(({ pass }) => pass === index + 1);
		const regretted = own.reduce((sum, { tokens }) => sum + tokens, 0);
		return { pass: index + 1, taken: strips.reduce((sum, { tokens }) => sum + tokens, 0), regretted };
	});
}

/** Of what all passes took, the share that was read again. */
export function regretShare(passes: readonly PassRegret[]): number {
	const taken = passes.reduce((sum, pass) => sum + pass.taken, 0);
	return taken > 0 ? passes.reduce((sum, pass) => sum + pass.regretted, 0) / taken : 0;
}
