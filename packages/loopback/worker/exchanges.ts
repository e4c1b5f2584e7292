/** The tool calls that are still visible, each with its result, in the order in which they were made. */

import type { ModelCall, ModelMessage } from "../script/scripted-model.ts";

export interface Exchange {
	readonly call: ModelCall;
	readonly text: string;
	readonly isError: boolean;
	/** Index of the assistant message that made the call; the position of the exchange in time. */
	readonly message: number;
}

/** A call whose result is gone tells nothing certain, and is left out; so is a result that is a mere placeholder. */
export function listExchanges(messages: readonly ModelMessage[]): readonly Exchange[] {
	const results = new Map(
		messages.flatMap((message) => (message.type === "result" ? [[message.callId, message] as const] : [])),
	);
	return messages.flatMap((message, index) => {
		if (message.type !== "assistant") return [];
		return message.calls.flatMap((call): readonly Exchange[] => {
			const result = results.get(call.id);
			if (!result || isPlaceholder(result.text)) return [];
			return [{ call, text: result.text, isError: result.isError, message: index }];
		});
	});
}

/** An eviction may leave one line in brackets where the result stood. */
function isPlaceholder(text: string): boolean {
	return /^\[[^\n]*\b(evicted|stripped|cleared|removed)\b[^\n]*\]$/.test(text.trim());
}
