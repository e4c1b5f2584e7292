/** The screens of the demo: the conversation, and the size of each request with and without cwl. */

import { formatTokens } from "#basics";
import { visibleText } from "#core/transcript";
import type { HostMessage } from "#pi/codec";
import type { Demo, DemoStep } from "./demo-replay.ts";

/** Lines of the conversation on the screen. */
const HEIGHT = 12;
const BAR_CELLS = 30;

/** A screen for each request, of lines that fit so many columns. */
export function createScreens({ steps, budget }: Demo, columns: number): readonly (readonly string[])[] {
	const most = Math.max(budget, ...steps.map(({ none }) => none));
	const bar = (name: string, tokens: number) => {
		const filled = Math.round((tokens / most) * BAR_CELLS);
		return `${name} ${"█".repeat(filled).padEnd(BAR_CELLS, "░")} ${formatTokens(tokens)}`;
	};
	let conversation: readonly string[] = [];
	return steps.map((step, index) => {
		conversation = [...conversation, ...linesOf(step, showAll)].slice(-HEIGHT);
		const blank = Array.from({ length: HEIGHT - conversation.length }, () => "");
		const title = `request ${index + 1} of ${steps.length}`;
		const bars = [bar("with cwl       ", step.cwl), bar("without        ", step.none)];
		return [title, "", ...conversation, ...blank, "", ...bars].map((line) => shorten(line, columns - 1));
	});
}

/** The demo as lines for a file or a pipe: what was asked and answered, and the passes. */
export function logLines({ steps }: Demo): readonly string[] {
	return steps.flatMap((step) => linesOf(step, ({ kind }) => kind !== "step"));
}

interface Shown {
	/** A step is what the agent says and calls before its answer. */
	readonly kind: "user" | "answer" | "step";
	readonly text: string;
}

const showAll = () => true;

function linesOf({ messages, pass }: DemoStep, isShown: (shown: Shown) => boolean): readonly string[] {
	const lines = messages.flatMap(describeMessage).filter(isShown);
	const evicted = pass
		? [`◂ pass: finished work leaves, ${formatTokens(pass.before)} -> ${formatTokens(pass.after)} tokens`]
		: [];
	return [...evicted, ...lines.map(({ kind, text }) => `${MARGIN[kind]}${visibleText(text)}`)];
}

const MARGIN = { user: "you    ", answer: "agent  ", step: "       " } as const;

function describeMessage(message: HostMessage): readonly Shown[] {
	if (message.role === "user") return [{ kind: "user", text: firstLine(messageText(message.content)) }];
	if (message.role !== "assistant") return [];
	const kind = message.content.some(({ type }) => type === "toolCall") ? "step" : "answer";
	return message.content.flatMap((block): readonly Shown[] => {
		if (block.type === "text") return [{ kind, text: firstLine(block.text) }];
		if (block.type !== "toolCall") return [];
		return [{ kind, text: `${block.name} ${firstLine(describeArguments(block.arguments))}` }];
	});
}

function messageText(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
	if (typeof content === "string") return content;
	return content.map(({ text = "" }) => text).join("\n");
}

function describeArguments(args: Readonly<Record<string, unknown>>): string {
	return Object.values(args)
		.filter((value) => typeof value === "string")
		.join(" ");
}

const firstLine = (text: string) => text.trim().split("\n", 1)[0] ?? "";

function shorten(text: string, columns: number): string {
	return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}
