/**
 * pi's messages, and the questions about them that other folders ask, so that none of them looks at roles and
 * blocks itself.
 */

import type { ContextEvent, SessionEntry } from "@mariozechner/pi-coding-agent";
import { fieldsOf } from "#basics";
import type { AnsweredBy } from "../model-prices.ts";
import { isFramed } from "../prompt/frames.ts";

/** A message as pi hands it to an extension before a request: pi-ai's own kinds and the coding agent's additions. */
export type HostMessage = ContextEvent["messages"][number];

/** A message of the model. */
export type Answer = HostMessage & { readonly role: "assistant" };
export type ToolResult = HostMessage & { readonly role: "toolResult" };
export type Image = Extract<ToolResult["content"][number], { readonly type: "image" }>;

/** The prefix of the types of the extension's own messages, which are notes; every other custom message is the user's. */
export const OUR_MESSAGES = "cwl.";
/** Carries what the user recalled. */
export const RECALL_MESSAGE = `${OUR_MESSAGES}recall`;

export type Content = string | readonly { readonly type: string; readonly text?: string }[];

/** The text of a message's content; images have none. */
export function contentText(content: Content): string {
	if (typeof content === "string") return content;
	return content.map((block) => block.text ?? "").join("\n");
}

export function isAnswer(message: HostMessage): message is Answer {
	return message.role === "assistant";
}

/** The messages among entries of a session. */
export function messagesOf(entries: readonly SessionEntry[]): readonly HostMessage[] {
	return entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}

export function lastAnswer(messages: readonly HostMessage[]): Answer | undefined {
	return messages.findLast(isAnswer);
}

/** Returns true if the provider or the network refused the request; the answer then holds nothing to rely on. */
export function isRefused({ stopReason }: { readonly stopReason?: unknown }): boolean {
	return stopReason === "error";
}

/** Returns true for an answer that did not come whole: it was refused, or a person stopped it. */
export function hasFailed(answer: { readonly stopReason?: unknown }): boolean {
	return answer.stopReason === "aborted" || isRefused(answer);
}

/** The time in ms of the compaction that replaced the beginning of a history; 0 without one. pi puts its summary first. */
export function compactedAt(messages: readonly HostMessage[]): number {
	// pi 0.87 and later begin a session with a system message.
	const first = messages.find((message) => !isSystemMessage(message));
	return first?.role === "compactionSummary" ? first.timestamp : 0;
}

/** Returns true for thinking that is of use to its own model only. */
export function isSigned({ thinkingSignature = "", redacted = false }: ThinkingBlock): boolean {
	return redacted || thinkingSignature !== "";
}

/** One name for a model of a provider. */
export function modelName({ provider, model }: AnsweredBy): string {
	return `${provider}/${model}`;
}

/** Input tokens that the provider reported, cached or not; 0 when it reported none, and for answers that failed. */
export function inputTokens(answer: Answer): number {
	if (hasFailed(answer)) return 0;
	const { usage } = answer;
	const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
	return Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

type ThinkingBlock = Extract<Answer["content"][number], { readonly type: "thinking" }>;
type ToolCallBlock = Extract<Answer["content"][number], { readonly type: "toolCall" }>;

/** The calls of a model message in their order; none for other messages. */
export function toolCallsOf(message: HostMessage): readonly ToolCallBlock[] {
	return isAnswer(message) ? message.content.filter((block) => block.type === "toolCall") : [];
}

/** The details that a tool left with each of its results. */
export function detailsOf(messages: readonly HostMessage[], tool: string): readonly unknown[] {
	return messages.flatMap((message) =>
		message.role === "toolResult" && message.toolName === tool ? [message.details] : [],
	);
}

/** The texts that extensions attached to a tool's own output, which is the first block; none for other messages. */
export function attachedTexts(message: HostMessage): readonly string[] {
	if (message.role !== "toolResult") return [];
	return message.content.slice(1).flatMap((block) => (block.type === "text" ? [block.text] : []));
}

/** An empty result for each call of the last answer that has none yet. */
export function missingResults(messages: readonly HostMessage[]): readonly ToolResult[] {
	const last = lastAnswer(messages);
	if (!last) return [];
	const results = messages.slice(messages.lastIndexOf(last));
	const answered = new Set(results.flatMap((each) => (each.role === "toolResult" ? each.toolCallId : [])));
	const missing = toolCallsOf(last).filter(({ id }) => !answered.has(id));
	return missing.map(({ id, name }) => {
		const timestamp = Number(last.timestamp) + 1;
		return { role: "toolResult", toolCallId: id, toolName: name, content: [], isError: false, timestamp };
	});
}

/** The output of a tool without the texts of ours behind it, which say nothing about what the call did. */
export function ownOutput(content: ToolResult["content"]): ToolResult["content"] {
	return content.filter((block, index) => index === 0 || block.type !== "text" || !isFramed(block.text));
}

export type UserContent = (HostMessage & { readonly role: "user" })["content"];

/** The content of a user turn; undefined for other messages. */
export function userContent(message: HostMessage): UserContent | undefined {
	return message.role === "user" ? message.content : undefined;
}

/** A message that an extension sent: its type and what it holds. */
export function customPartsOf(
	message: HostMessage,
): { readonly customType: string; readonly content: UserContent } | undefined {
	return message.role === "custom" ? message : undefined;
}

/** The role and time of a message: pi clones its messages for each request, so object identity tells nothing. */
export function stampOf(message: HostMessage | undefined): string {
	return `${message?.role} ${message?.timestamp}`;
}

/** The time of an answer, which names it in the list of messages and in the session file; undefined for anything else. */
export function answerTime(message: unknown): number | undefined {
	const { role, timestamp } = fieldsOf(message);
	return role === "assistant" && typeof timestamp === "number" ? timestamp : undefined;
}

/** The types of pi 0.73.1 do not know the role. */
export function isSystemMessage({ role }: { readonly role: string }): boolean {
	return role === "system";
}

/** Takes off the system message in front; those inside the conversation stay where they are. */
export function takeHead(messages: readonly HostMessage[]) {
	const head = messages.slice(0, messages[0] && isSystemMessage(messages[0]) ? 1 : 0);
	const [first] = head;
	return {
		/** All that the system message in front says, its time left out; undefined where there is none. */
		head: first && systemText(first),
		conversation: messages.slice(head.length),
		/** Puts the system message back in front of what is sent. */
		withHead: (sent: readonly HostMessage[]) => [...head, ...sent],
	};
}

/** The system message in front with all later ones, as pi merges them. */
export function withChanges(head: string, messages: readonly HostMessage[]): string {
	return [head, ...messages.filter(isSystemMessage).map(systemText)].join("\n");
}

const systemText = (message: HostMessage) => JSON.stringify({ ...message, timestamp: 0 });

/** Returns true if pi sends nothing of a text but blanks: it takes out halves of characters, which no provider accepts. */
export function isBlankText(text: string): boolean {
	return /^[\s\p{Surrogate}]*$/u.test(text);
}
