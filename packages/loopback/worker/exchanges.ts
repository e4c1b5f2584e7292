/** The visible tool calls with their results, in order. */

import { isPlaceholder } from "#core/projection";
import type { ModelCall, ModelMessage } from "../model.ts";

export interface Exchange {
	readonly call: ModelCall;
	readonly text: string;
	readonly isError: boolean;
	/** Index of the assistant message that made the call, which orders the exchanges in time. */
	readonly message: number;
}

/** Leaves out calls whose result is evicted or is only a placeholder. */
export function listExchanges(messages: readonly ModelMessage[]): readonly Exchange[] {
	const results = new Map(
		messages.flatMap((message) => (message.type === "result" ? [[message.callId, message] as const] : [])),
	);
	return messages.flatMap((message, index) => {
		if (message.type !== "assistant") return [];
		return message.calls.flatMap((call): readonly Exchange[] => {
			const result = results.get(call.id);
			if (!result || isPlaceholder(result.text.trim())) return [];
			return [{ call, text: result.text, isError: result.isError, message: index }];
		});
	});
}
