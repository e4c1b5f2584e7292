import type { ModelReply } from "../script/scripted-model.ts";
import type { Fields } from "../wire/json.ts";
import { countTokens } from "../wire/tokens.ts";

/** The tokens of a request and its answer. The prompt is the sum of read, written and plain input. */
export interface Usage {
	readonly prompt: number;
	readonly read: number;
	readonly written: number;
	/** The part of `written` that lives one hour; Anthropic only. */
	readonly written1h: number;
	readonly output: number;
	/** The part of the output that was thinking. */
	readonly thinking: number;
}

/** A reply on its way to the wire. */
export interface Turn {
	/** Token of the response that all its ids are made from. */
	readonly response: string;
	readonly model: string;
	/** Unix time in seconds. */
	readonly created: number;
	readonly reply: Required<ModelReply>;
	/** The reply in the API's own blocks or items, with its thinking sealed; empty for chat completions. */
	readonly content: readonly Fields[];
	/** The response's `input_transformations`: changes to the request's thinking, where responses list them. */
	readonly transformations: readonly Fields[] | undefined;
	/** The reported usage, which a fault may have falsified or left out. */
	readonly usage: Usage | undefined;
	/** A stream ends with a usage chunk. */
	readonly streamUsage: boolean;
}

export interface ReplyOptions {
	/** The caller allows the reply to hold thinking. */
	readonly allowsThinking: boolean;
	/** A reply that has no thinking gets some. */
	readonly addsThinking: boolean;
}

/** A short thought for a reply that came without one. The same reply always gets the same. */
function inventThinking({ text = "", calls = [] }: ModelReply): string {
	const steps = calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`);
	return `The next step follows from what I have seen: ${[text, ...steps].filter(Boolean).join("; ").slice(0, 400)}`;
}

/** Fills in what a reply leaves out, and drops thinking where the caller did not allow it. */
export function completeReply(
	reply: ModelReply,
	{ allowsThinking, addsThinking }: ReplyOptions,
): Required<ModelReply> {
	const { thinking = addsThinking ? inventThinking(reply) : "", redactedThinking = "" } = reply;
	return {
		thinking: allowsThinking ? thinking : "",
		redactedThinking: allowsThinking ? redactedThinking : "",
		text: reply.text ?? "",
		calls: reply.calls ?? [],
	};
}

/** Tokens of a reply: its thinking alone, and all of it. */
export function replyTokens(reply: Required<ModelReply>): {
	readonly thinking: number;
	readonly output: number;
} {
	const thinking = countTokens(reply.thinking) + countTokens(reply.redactedThinking);
	const calls = reply.calls.flatMap((call) => [call.name, JSON.stringify(call.arguments)]);
	const output = [reply.text, ...calls].reduce((total, text) => total + countTokens(text), thinking);
	return { thinking, output };
}

/** At most 400 characters; the `u` flag keeps a character whole that takes two units. */
const PIECE = /[\s\S]{1,400}/gu;

/** A text in the pieces that a stream sends. */
export function streamPieces(text: string): readonly string[] {
	return text.match(PIECE) ?? [];
}
