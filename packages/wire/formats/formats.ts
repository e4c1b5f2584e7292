/** The endpoints whose requests are read. */
import { anthropicMessages } from "./anthropic-messages.ts";
import { chatCompletions } from "./chat-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { WireFormat } from "./wire-format.ts";

export interface Endpoint {
	readonly name: "messages" | "responses" | "chat completions";
	readonly format: WireFormat;
	/** True if it only counts the tokens of a request that will be sent: then no pass is made, and those made hold. */
	readonly onlyCounts: boolean;
}

const endpoints: readonly (readonly [ending: string, Endpoint])[] = [
	["/messages", { name: "messages", format: anthropicMessages, onlyCounts: false }],
	["/messages/count_tokens", { name: "messages", format: anthropicMessages, onlyCounts: true }],
	["/responses", { name: "responses", format: openaiResponses, onlyCounts: false }],
	["/responses/input_tokens", { name: "responses", format: openaiResponses, onlyCounts: true }],
	["/chat/completions", { name: "chat completions", format: chatCompletions, onlyCounts: false }],
];

/** The endpoint at a provider's path, whatever stands before it; undefined for all others. */
export function findEndpoint(path: string): Endpoint | undefined {
	return endpoints.find(([ending]) => path.endsWith(ending))?.[1];
}
