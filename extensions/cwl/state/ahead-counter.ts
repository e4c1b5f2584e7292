/** Counts the long texts of new messages before they are needed, a text at a time, so that reading them holds up nothing else. */
import { countAhead, countedTexts, type HostMessage } from "#pi";

export interface AheadCounter {
	/** Counts the messages that are new since the last call; ends when they and all earlier ones are counted. */
	count(messages: readonly HostMessage[]): Promise<void>;
	/** Begins anew with another branch. */
	reset(): void;
}

export function createAheadCounter(): AheadCounter {
	/** The number of messages that were given so far, and the end of their count. */
	let counted = 0;
	let counting: Promise<void> = Promise.resolve();
	return {
		count(messages) {
			const added = messages.slice(messages.length < counted ? 0 : counted);
			counted = messages.length;
			const before = counting;
			const now = (async () => {
				await before;
				for (const message of added) await countAhead(countedTexts(message));
			})();
			// A message that cannot be read fails the request that it came with, and none after it.
			counting = now.catch(() => undefined);
			return now;
		},
		reset() {
			counted = 0;
		},
	};
}
