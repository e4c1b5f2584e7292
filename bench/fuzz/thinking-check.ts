/**
 * Rule 19, from the provider's documentation and knowing nothing of passes: each piece of thinking remembers the request
 * that it answered and the piece before it. A later request must send it behind the same words, and behind the same
 * piece or none.
 */
import type { HostMessage } from "#pi/codec/host-message.ts";
import type { World } from "./world.ts";

interface Seal {
	/** All that was sent in front of it, thinking left out. */
	readonly prefix: string;
	readonly previous: string | undefined;
}

export function createThinkingCheck() {
	const seals = new Map<string, Seal>();
	const sealed = new Set<string | undefined>();
	return {
		/** Throws if a request sends thinking that is bound to another history. */
		check(messages: readonly HostMessage[]) {
			for (const [block, seal] of readSeals(messages)) {
				const made = seals.get(block);
				if (!made) continue;
				const follows = seal.previous === undefined || seal.previous === made.previous;
				if (made.prefix !== seal.prefix || !follows) {
					throw new Error(`rule 19: thinking ${block} is sent behind another history`);
				}
			}
		},
		/**
		 * Seals the answers that an operation wrote: they answer `sent`. Undefined where pi sends no request: whatever the
		 * script lets follow there, no provider made it.
		 */
		seal({ file }: World, sent: readonly HostMessage[] | undefined) {
			for (const message of file.context()) {
				if (message.role !== "assistant" || sealed.has(message.responseId)) continue;
				sealed.add(message.responseId);
				if (!sent) continue;
				for (const [block, seal] of readSeals([...sent, message])) {
					if (!seals.has(block)) seals.set(block, seal);
				}
			}
		},
	};
}

function readSeals(messages: readonly HostMessage[]): ReadonlyMap<string, Seal> {
	const seals = new Map<string, Seal>();
	let prefix = "";
	let previous: string | undefined;
	for (const message of messages) {
		const { timestamp: _, ...said } = message;
		// pi sends no answer that failed.
		if (message.role === "assistant" && /error|aborted/.test(message.stopReason)) continue;
		if (message.role !== "assistant") {
			prefix += `${JSON.stringify(said)}\n`;
			continue;
		}
		let thought = 0;
		for (const block of message.content) {
			if (block.type !== "thinking") prefix += `${message.responseId} ${JSON.stringify(block)}\n`;
			else {
				const name = `${message.responseId}.${thought++} ${block.thinking}`;
				seals.set(name, { prefix, previous });
				previous = name;
			}
		}
	}
	return seals;
}
