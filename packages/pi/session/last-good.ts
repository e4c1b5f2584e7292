/** Replaces a request whose projection fails (design rule 17): the last good one, and what came since. */
import { type HostMessage, stampOf } from "../codec/host-message.ts";

export interface LastGood {
	/** Keep what was sent for a history. */
	keep(history: readonly HostMessage[], sent: readonly HostMessage[]): void;
	/** The messages to send for this history; all of it where it does not continue the one kept. */
	recover(history: readonly HostMessage[]): HostMessage[];
}

interface Kept {
	readonly sent: readonly HostMessage[];
	/** How many messages of the history it stands for, and what they are known again by. */
	readonly covers: number;
	readonly ends: string;
}

export function createLastGood(): LastGood {
	let kept: Kept = { sent: [], covers: 0, ends: "" };
	return {
		keep(history, sent) {
			kept = { sent, covers: history.length, ends: endsOf(history) };
		},
		recover(history) {
			const { sent, covers, ends } = kept;
			const goesOn = history.length >= covers && endsOf(history.slice(0, covers)) === ends;
			return goesOn ? [...sent, ...history.slice(covers)] : [...history];
		},
	};
}

/** The host clones its messages for each request, so that they are known by their times. */
function endsOf(messages: readonly HostMessage[]): string {
	return [messages[0], messages.at(-1)].map(stampOf).join();
}
