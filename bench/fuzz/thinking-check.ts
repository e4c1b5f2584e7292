/** Rule 19 on pi's messages: no request sends thinking that is bound to another history. */
import type { HostMessage } from "#pi/codec";
import { createSealCheck, type Piece } from "../../packages/core/test-support/thinking-check.ts";
import type { World } from "./world.ts";

export function createThinkingCheck() {
	// A script may write answers where pi sends no request: no provider made them.
	const seals = createSealCheck(true);
	const sealed = new Set<string | undefined>();
	return {
		/** Throws if a request sends thinking that is bound to another history. */
		check(messages: readonly HostMessage[]) {
			const [block] = seals.stale(piecesOf(messages));
			if (block !== undefined) throw new Error(`rule 19: thinking ${block} is sent behind another history`);
		},
		/** Seals the answers that an operation wrote: they answer `sent`, undefined where pi sends no request. */
		seal({ file }: World, sent: readonly HostMessage[] | undefined) {
			for (const message of file.context()) {
				if (message.role !== "assistant" || sealed.has(message.responseId)) continue;
				sealed.add(message.responseId);
				if (sent) seals.seal(piecesOf([...sent, message]));
			}
		},
	};
}

function piecesOf(messages: readonly HostMessage[]): readonly Piece[] {
	return messages.flatMap((message): readonly Piece[] => {
		const { timestamp: _, ...said } = message;
		if (message.role !== "assistant") return [{ text: JSON.stringify(said), isThinking: false }];
		// pi sends no answer that failed.
		if (/error|aborted/.test(message.stopReason)) return [];
		let thought = 0;
		return message.content.map((block) =>
			block.type === "thinking"
				? { text: `${message.responseId}.${thought++} ${block.thinking}`, isThinking: true }
				: { text: `${message.responseId} ${JSON.stringify(block)}`, isThinking: false },
		);
	});
}
