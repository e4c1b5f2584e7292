/** Undoes releases in a request, so that the other rules can check that every user message is still there. */
import type { Graph } from "#core/graph";
import type { View } from "#core/log";
import { cutMessage, type HostMessage } from "#pi";

export function unreleased(
	history: readonly HostMessage[],
	messages: readonly HostMessage[],
	{ prologue, userMessages }: Graph,
	{ released }: View,
): readonly HostMessage[] {
	if (released.size === 0) return messages;
	const originals = new Map<string, HostMessage>();
	for (const { id, message } of [...prologue, ...userMessages]) {
		const [release, original] = [released.get(id), history[message]];
		if (release && original) originals.set(JSON.stringify(cutMessage(original, release)), original);
	}
	return messages.map((message) => originals.get(JSON.stringify(message)) ?? message);
}
