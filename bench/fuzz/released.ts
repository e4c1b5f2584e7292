/** A request as if nobody had released anything, so that what people wrote can be told to be all there otherwise. */
import type { Graph } from "../../packages/core/graph.ts";
import type { View } from "../../packages/core/log.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import { cutMessage } from "../../packages/host/release.ts";

export function unreleased(
	history: readonly HostMessage[],
	messages: readonly HostMessage[],
	{ prologue, persons }: Graph,
	{ released }: View,
): readonly HostMessage[] {
	if (released.size === 0) return messages;
	const originals = new Map<string, HostMessage>();
	for (const { id, message } of [...prologue, ...persons]) {
		const [release, original] = [released.get(id), history[message]];
		if (release && original) originals.set(JSON.stringify(cutMessage(original, release)), original);
	}
	return messages.map((message) => originals.get(JSON.stringify(message)) ?? message);
}
