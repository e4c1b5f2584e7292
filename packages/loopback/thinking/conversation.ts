import type { Fields } from "../wire/json.ts";

/** The APIs whose models sign their thinking. */
export type SealingApi = "anthropic" | "responses";

/** A thinking block, a redacted one, or a reasoning item, and where it stands in the request. */
export interface ThinkingPart {
	readonly type: "thinking";
	/** Index of the message or input item. */
	readonly message: number;
	/** Index of the block in its message; 0 for an input item. */
	readonly block: number;
	/** As error messages and `input_transformations` spell the place. */
	readonly path: string;
	/** OpenAI only. */
	readonly itemId?: string;
	readonly signature: string;
	/** The visible text, which no signature covers. */
	readonly text: string;
}

/** A piece of the request that the prefix check compares, as canonical text. */
export interface ContentPart {
	readonly type: "content";
	readonly content: string;
}

export type Part = ThinkingPart | ContentPart;

/**
 * How a wire format looks to the prefix check. `parts` yields the system prompt and the tools first, then the
 * conversation in order. What providers do not compare is left out: cache markers, key order, limits, effort,
 * metadata, tool choice and the thinking configuration.
 */
export interface SealedFormat {
	readonly parts: (body: Fields) => readonly Part[];
	/** Index that the next message or item of the request would get. */
	readonly length: (body: Fields) => number;
	/** The body with some thinking replaced, or removed where the answer is undefined. */
	readonly mapThinking: (body: Fields, change: (part: ThinkingPart) => string | undefined) => Fields;
	/** The body with an answer of the model at its end: content blocks, or output items. */
	readonly append: (body: Fields, answer: readonly Fields[]) => Fields;
	/** The answer that `append` added. */
	readonly answer: (body: Fields, from: number) => readonly Fields[];
}
