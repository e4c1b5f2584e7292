/** The conversation of the demo as lines. */

import { formatTokens, type UnknownRecord, visibleText } from "#basics";
import { contentText, type HostMessage, toolCallsOf } from "#pi/codec";
import type { Demo } from "./demo-replay.ts";

/** A line for each question, answer and pass; `withSteps`: also for what the agent says and calls before each answer. */
export function conversationLines({ steps }: Demo, withSteps: boolean): readonly string[] {
	return steps.flatMap(({ messages, pass, none }) => {
		const shown = messages.flatMap(describeMessage).filter(({ kind }) => withSteps || kind !== "step");
		const lines = shown.map(({ kind, text }) => `${MARGIN[kind]}${visibleText(text)}`);
		if (!pass) return lines;
		const sizes = `${formatTokens(pass.before)} -> ${formatTokens(pass.after)} tokens`;
		const rest = `without cwl the request would have ${formatTokens(none)}`;
		return [`◂ pass: finished work leaves, ${sizes}; ${rest}`, ...lines];
	});
}

interface Shown {
	/** A step is what the agent says and calls before its answer. */
	readonly kind: "user" | "answer" | "step";
	readonly text: string;
}

const MARGIN = { user: "you    ", answer: "agent  ", step: "       " } as const;

function describeMessage(message: HostMessage): readonly Shown[] {
	if (message.role === "user") return [{ kind: "user", text: firstLine(contentText(message.content)) }];
	if (message.role !== "assistant") return [];
	const kind = toolCallsOf(message).length > 0 ? "step" : "answer";
	return message.content.flatMap((block): readonly Shown[] => {
		if (block.type === "text") return [{ kind, text: firstLine(block.text) }];
		if (block.type !== "toolCall") return [];
		return [{ kind, text: `${block.name} ${firstLine(describeArguments(block.arguments))}` }];
	});
}

function describeArguments(args: UnknownRecord): string {
	return Object.values(args)
		.filter((value) => typeof value === "string")
		.join(" ");
}

const firstLine = (text: string) => text.trim().split("\n", 1)[0] ?? "";
