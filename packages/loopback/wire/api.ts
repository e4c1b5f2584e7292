/** A wire format as the server uses it: one `Api` for each. */

import { type Fields, objectsOf, stringOf } from "../json.ts";
import type { ModelReply, ModelRequest } from "../model.ts";
import type { Prompt, Segmenter } from "../prompt-cache.ts";
import { badRequest, type Refusal, type Rule } from "../refusal.ts";
import type { SealingApi } from "../thinking/formats.ts";

/** The APIs, by the names that records and error shapes use. */
export type ApiName = "completions" | "responses" | "anthropic";

/** Statuses with which an overloaded or broken provider refuses a request. */
export type FaultStatus = 429 | 500 | 529;

/** A request body, understood. */
export interface Reading extends Prompt {
	/** The answer goes out as server-sent events. */
	readonly stream: boolean;
	/** A stream ends with a usage chunk; only chat completions lets the caller choose. */
	readonly streamUsage: boolean;
	/** The caller allows the reply to hold thinking. */
	readonly thinking: boolean;
	readonly request: ModelRequest;
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
	/** The reported usage, which a fault may have falsified. */
	readonly usage: Usage;
	/** A stream ends with a usage chunk. */
	readonly streamUsage: boolean;
}

/** How an API writes and signs the model's thinking. */
export interface Sealing {
	readonly format: SealingApi;
	/** A reply as blocks or items, before its thinking is signed. */
	readonly compose: (reply: Required<ModelReply>, response: string) => readonly Fields[];
	/** The signed reply as it goes out for a request. */
	readonly present: (content: readonly Fields[], body: Fields) => readonly Fields[];
}

export interface Api {
	readonly name: ApiName;
	/** Where the API listens. */
	readonly path: string;
	readonly rules: readonly Rule[];
	readonly read: (body: Fields, segment: Segmenter) => Reading;
	/** Missing for chat completions, whose thinking carries no signature. */
	readonly sealing?: Sealing;
	/** The turn as server-sent events. */
	readonly stream: (turn: Turn) => readonly string[];
	/** The turn as one JSON body. */
	readonly whole: (turn: Turn) => unknown;
	readonly errorBody: (refusal: Refusal) => unknown;
	/** The errors of an overloaded or broken provider. */
	readonly faults: Readonly<Record<FaultStatus, Omit<Refusal, "status">>>;
	/** The error of a prompt that is longer than the context window, both in tokens, in the provider's own words. */
	readonly overflow: (tokens: number, contextWindow: number) => Refusal;
}

/** Tokens that the envelope of one message costs, in all three APIs. */
export const MESSAGE_FRAMING = 4;

/** A flat price for an image: the tokenizer cannot count one, and its size in tokens varies by provider. */
export const IMAGE_TEXT = "image ".repeat(1000);

const SYSTEM_ROLES = new Set<unknown>(["system", "developer"]);

/** Both OpenAI APIs: a message of instructions. */
export const isSystem = ({ role }: Fields): boolean => SYSTEM_ROLES.has(role);

/** Both OpenAI APIs: content is a string or a list of parts; images count but carry no text. */
export function partTexts(content: unknown, imageText = ""): readonly string[] {
	if (typeof content === "string") return [content];
	return objectsOf(content).map(({ type, text }) =>
		type === "input_image" || type === "image_url" ? imageText : stringOf(text),
	);
}

export const partText = (content: unknown): string => partTexts(content).join("\n");

/** Both OpenAI APIs (platform.openai.com/docs/guides/error-codes). */
export function openaiErrorBody(refusal: Refusal): unknown {
	const { message, type, code = null } = refusal;
	return { error: { message, type, param: null, code } };
}

/** Errors as in platform.openai.com/docs/guides/error-codes; 529 is Anthropic's alone and reads as overloaded. */
export const OPENAI_FAULTS: Api["faults"] = {
	429: { type: "requests", message: "Rate limit reached for requests", code: "rate_limit_exceeded" },
	500: { type: "server_error", message: "The server had an error while processing your request" },
	529: { type: "server_error", message: "The engine is currently overloaded, please try again later" },
};

export const openaiOverflow = (message: string): Refusal => ({
	...badRequest(message),
	code: "context_length_exceeded",
});

/** At most 400 characters; the `u` flag keeps a character whole that takes two units. */
const PIECE = /[\s\S]{1,400}/gu;

/** A text in the pieces that a stream sends. */
export function streamPieces(text: string): readonly string[] {
	return text.match(PIECE) ?? [];
}

/** A server-sent event; those of the Messages and Responses APIs are named after their `type`. */
export function serverEvent(data: Fields | string): string {
	if (typeof data === "string") return `data: ${data}\n\n`;
	const name = data.type === undefined ? "" : `event: ${stringOf(data.type)}\n`;
	return `${name}data: ${JSON.stringify(data)}\n\n`;
}
