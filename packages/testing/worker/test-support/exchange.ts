/** Messages of a history for tests of the worker, and its reply to them. */
import type { ModelMessage, ToolDefinition } from "../../model.ts";
import type { NewCall } from "../toolbox.ts";
import { createWorker } from "../worker.ts";

const define = (name: string): ToolDefinition => ({ name, description: name, parameters: {} });

/** pi's own tools, and those that the extension adds. */
export const ALL_TOOLS = ["read", "bash", "edit", "write", "grep", "delimiter"].map(define);
/** The tool that brings back what left. */
export const RECALL = define("recall");

export const user = (text: string): ModelMessage => ({ type: "user", text });
export const said = (text: string): ModelMessage => ({ type: "assistant", thinking: "", text, calls: [] });

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

/** The worker's reply, whose calls leave out the delimiters. */
export function replyTo(messages: readonly ModelMessage[], tools: readonly ToolDefinition[] = ALL_TOOLS) {
	const reply = createWorker()({ system: "", tools, messages });
	return { ...reply, calls: (reply.calls ?? []).filter(({ name }) => name !== "delimiter") };
}
