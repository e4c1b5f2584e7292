/** The input and output of a scripted model, independent of the wire format, and models of a few lines. */

export interface ToolDefinition {
	readonly name: string;
	readonly description: string;
	readonly parameters: unknown;
}

export interface ModelCall {
	readonly id: string;
	readonly name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

export interface AssistantMessage {
	readonly type: "assistant";
	readonly thinking: string;
	readonly text: string;
	readonly calls: readonly ModelCall[];
}

/** One message of a request, in order. A tool result stands alone, whatever message the wire packed it into. */
export type ModelMessage =
	| { readonly type: "user"; readonly text: string }
	| AssistantMessage
	| { readonly type: "result"; readonly callId: string; readonly text: string; readonly isError: boolean }
	/** Instructions inside the conversation; only some Claude models take them. */
	| { readonly type: "system"; readonly text: string };

export interface ModelRequest {
	readonly system: string;
	readonly tools: readonly ToolDefinition[];
	readonly messages: readonly ModelMessage[];
}

export interface ModelReply {
	readonly thinking?: string;
	readonly text?: string;
	readonly calls?: readonly Omit<ModelCall, "id">[];
}

/** A stand-in for a model. It knows nothing but the request: no state of its own may carry over between calls. */
export type ScriptedModel = (request: ModelRequest) => ModelReply;

/** Repeats the last user text. */
export const echo: ScriptedModel = ({ messages }) => {
	const said = messages.findLast((message) => message.type === "user");
	return { text: said?.text ?? "" };
};

/** Plays replies in order by counting the assistant messages it can see, and says `done` after the last. */
export function scripted(replies: readonly ModelReply[]): ScriptedModel {
	return ({ messages }) =>
		replies[messages.filter((message) => message.type === "assistant").length] ?? { text: "done" };
}
