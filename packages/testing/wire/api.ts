/** A wire format as the server uses it: one `Api` for each. */
import { recordsOf, sum, textOf, type UnknownRecord } from "#basics";
import type { ModelReply, ModelRequest, ToolDefinition } from "../model.ts";
import type { Breakpoint, Segment } from "../prompt-cache.ts";
import { badRequest, type Refusal, type Rule } from "../refusal.ts";
import { sealOf } from "../seal.ts";
import type { SealingApi } from "../thinking/formats.ts";

/** The APIs, by the names that records and error shapes use. */
export type ApiName = "completions" | "responses" | "anthropic";

/** Statuses with which an overloaded or broken provider refuses a request. */
export type FaultStatus = 429 | 500 | 529;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** A request body, understood. */
export interface Reading {
	readonly request: ModelRequest;
	/** The caller allows the reply to hold thinking. */
	readonly thinking: boolean;
	/** The whole prompt in the order in which the provider caches it: tools, system, messages. */
	readonly segments: readonly Segment[];
	/** Where the caller marks the prompt; left out by APIs whose cache needs no marks. */
	readonly breakpoints?: readonly Breakpoint[];
}

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
	/** The request that it answers. */
	readonly body: UnknownRecord;
	/** Token of the response that all its ids are made from. */
	readonly response: string;
	/** Unix time in seconds. */
	readonly created: number;
	readonly reply: Required<ModelReply>;
	/** The reply in the API's own blocks or items, with its thinking sealed; empty for chat completions. */
	readonly content: readonly UnknownRecord[];
	/** The response's `input_transformations`: changes to the request's thinking, where responses list them. */
	readonly transformations: readonly UnknownRecord[] | undefined;
	/** The reported usage, which a fault may have falsified. */
	readonly usage: Usage;
}

export interface Api {
	readonly name: ApiName;
	/** Where the API listens. */
	readonly path: string;
	readonly rules: readonly Rule[];
	readonly read: (body: UnknownRecord, count: CountTokens) => Reading;
	/** How the API signs thinking; missing for chat completions, which does not. */
	readonly sealing?: SealingApi;
	/** A reply as blocks or items, before its thinking is signed. */
	readonly compose: (reply: Required<ModelReply>, response: string) => readonly UnknownRecord[];
	/** The turn as server-sent events. */
	readonly stream: (turn: Turn) => readonly string[];
	/** The turn as one JSON body. */
	readonly whole: (turn: Turn) => UnknownRecord;
	readonly errorBody: (refusal: Refusal) => UnknownRecord;
	/** The errors of an overloaded or broken provider. */
	readonly faults: Readonly<Record<FaultStatus, Omit<Refusal, "status">>>;
	/** The error of a prompt that is longer than the context window, both in tokens, in the provider's own words. */
	readonly overflow: (tokens: number, contextWindow: number) => Refusal;
}

/** Tokens that the envelope of one message costs, in all three APIs. */
export const MESSAGE_FRAMING = 4;

/** A flat price for an image: the tokenizer cannot count one, and its size in tokens varies by provider. */
export const IMAGE_TEXT = "image ".repeat(1000);

/**
 * A part of the prompt: `texts` are what counts of it, and `framing` the tokens that the message envelope costs. Thinking
 * costs the tokens that its signature states, whatever text of the block is visible.
 */
export function makeSegment(
	count: CountTokens,
	bytes: string,
	texts: readonly string[] = [bytes],
	framing = 0,
	block: UnknownRecord = {},
): Segment {
	return { bytes, tokens: framing + (sealOf(block)?.tokens ?? sum(texts, count)) };
}

/** A tool as a scripted model knows it. */
export const toolOf = ({ name, description }: UnknownRecord, parameters: unknown): ToolDefinition => ({
	name: textOf(name),
	description: textOf(description),
	parameters,
});

/** Both OpenAI APIs: a message of instructions. */
export const isSystem = ({ role }: UnknownRecord): boolean => role === "system" || role === "developer";

/** Both OpenAI APIs: content is a string or a list of parts; images count but carry no text. */
export function partTexts(content: unknown, imageText = ""): readonly string[] {
	if (typeof content === "string") return [content];
	return recordsOf(content).map(({ type, text }) =>
		type === "input_image" || type === "image_url" ? imageText : textOf(text),
	);
}

export const partText = (content: unknown): string => partTexts(content).join("\n");

/** The errors of both OpenAI APIs (platform.openai.com/docs/guides/error-codes); 529 is Anthropic's alone and reads as overloaded. */
export const OPENAI_ERRORS: Pick<Api, "errorBody" | "faults"> = {
	errorBody: ({ message, type, code = null }) => ({ error: { message, type, param: null, code } }),
	faults: {
		429: { type: "requests", message: "Rate limit reached for requests", code: "rate_limit_exceeded" },
		500: { type: "server_error", message: "The server had an error while processing your request" },
		529: { type: "server_error", message: "The engine is currently overloaded, please try again later" },
	},
};

export const openaiOverflow = (message: string): Refusal => ({
	...badRequest(message),
	code: "context_length_exceeded",
});

/** A text in the pieces that a stream sends: at most 400 characters; the `u` flag keeps a character whole that takes two units. */
export const streamPieces = (text: string): readonly string[] => text.match(/[\s\S]{1,400}/gu) ?? [];

/** A server-sent event; those of the Messages and Responses APIs are named after their `type`. */
export function serverEvent(data: UnknownRecord): string {
	const name = data.type === undefined ? "" : `event: ${textOf(data.type)}\n`;
	return `${name}data: ${JSON.stringify(data)}\n\n`;
}
