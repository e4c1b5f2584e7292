/**
 * The tokens that left the context, each counted once however many requests it is missing from (context-guru's "unique savings"):
 * savings that are added up over requests make the policy that evicts first look best. What came in its place, such as a
 * summary, is not subtracted.
 */
import type { HostMessage } from "#pi";
import { type MessageSizes, sum } from "../recording/recording.ts";
import type { Alignment } from "./alignment.ts";

/** Measures the requests of one session in turn: the tokens that each lacks and that no request before it lacked. */
export function createSavingsMeter(sizes: MessageSizes) {
	/** By index, the most that a request lacked of a message. */
	const lost: number[] = [];
	return (history: readonly HostMessage[], { kept }: Alignment): number => {
		let saved = 0;
		for (const [index, whole] of history.entries()) {
			const left = kept[index];
			if (left === whole) continue;
			const lacking = sum(sizes(whole)) - (left ? sum(sizes(left)) : 0);
			const before = lost[index] ?? 0;
			if (lacking <= before) continue;
			lost[index] = lacking;
			saved += lacking - before;
		}
		return saved;
	};
}
