/** Messages of a history for tests of the worker: a call with its result, and the tool that brings back what left. */
import type { ModelMessage, ToolDefinition } from "../../model.ts";
import type { NewCall } from "../toolbox.ts";

export const RECALL: ToolDefinition = { name: "recall", description: "recall", parameters: {} };

let calls = 0;

/** A call of the model and its result, under an id that no other exchange has. */
export function exchange(call: NewCall, text: string, isError = false): readonly ModelMessage[] {
	calls += 1;
	const id = `call-${calls}`;
	return [
		{ type: "assistant", thinking: "", text: "", calls: [{ ...call, id }] },
		{ type: "result", callId: id, text, isError },
	];
}
