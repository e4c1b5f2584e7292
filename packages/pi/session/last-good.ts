/** Replaces a request whose projection fails (design rule 17): the last good one, and what came since. */
import { type HostMessage, stampOf } from "../codec/host-message.ts";

export function createLastGood() {
	let sent: readonly HostMessage[] = [];
	/** How many messages of the history were sent so, and what they are known again by. */
	let covers = 0;
	let ends = "";
	return {
		/** Keeps what was sent for a history. */
		keep(history: readonly HostMessage[], messages: readonly HostMessage[]) {
			sent = messages;
			covers = history.length;
			ends = endsOf(history);
		},
		/** The messages to send for this history; all of it where it does not continue the one kept. */
		recover(history: readonly HostMessage[]): HostMessage[] {
			const isContinued = history.length >= covers && endsOf(history.slice(0, covers)) === ends;
			return isContinued ? [...sent, ...history.slice(covers)] : [...history];
		},
	};
}

/** The host clones its messages for each request, so that they are known by their times. */
function endsOf(messages: readonly HostMessage[]): string {
	return [messages[0], messages.at(-1)].map(stampOf).join();
}
