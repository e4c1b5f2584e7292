/** User messages without the middle of their longest text, for those that the user released. */
import type { Release } from "#core/log";
import type { HostMessage } from "./host-message.ts";

type Cut = Omit<Release, "tokens">;

/** The message as it is sent after a release: its longest text without the middle. */
export function cutMessage(message: HostMessage, release: Cut): HostMessage {
	const text = longText(message);
	if (text === undefined || text.length <= release.head + release.tail) return message;
	const cut = cutText(text, release);
	if (message.role === "bashExecution") return { ...message, output: cut };
	if (message.role !== "user" && message.role !== "custom") return message;
	if (typeof message.content === "string") return { ...message, content: cut };
	const longest = message.content.findIndex((block) => block.type === "text" && block.text === text);
	const content = message.content.map((block, index) =>
		block.type === "text" && index === longest ? { ...block, text: cut } : block,
	);
	return { ...message, content };
}

/** A text without its middle, a mark in its place. */
export function cutText(text: string, { head, tail, mark }: Cut): string {
	return `${text.slice(0, head)}\n${mark}\n${text.slice(text.length - tail)}`;
}

/** The longest text that a user message holds, or the output of a user's command; undefined for other messages. */
export function longText(message: HostMessage): string | undefined {
	if (message.role === "bashExecution") return message.output;
	if (message.role !== "user" && message.role !== "custom") return undefined;
	if (typeof message.content === "string") return message.content;
	const texts = message.content.map((block) => (block.type === "text" ? block.text : ""));
	return texts.toSorted((a, b) => b.length - a.length)[0];
}
