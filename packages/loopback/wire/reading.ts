import type { Breakpoint } from "../cache/breakpoints.ts";
import type { Segment } from "../cache/segment.ts";
import type { ModelRequest } from "../script/scripted-model.ts";

/** Tokens that the envelope of one message costs, in all three APIs. */
export const MESSAGE_FRAMING = 4;

/** A flat price for an image: the tokenizer cannot count one, and its size in tokens varies by provider. */
export const IMAGE_TEXT = "image ".repeat(1000);

/** A request body, understood. */
export interface Reading {
	readonly model: string;
	/** The answer goes out as server-sent events. */
	readonly stream: boolean;
	/** A stream ends with a usage chunk; only chat completions lets the caller choose. */
	readonly streamUsage: boolean;
	/** The caller allows the reply to hold thinking. */
	readonly thinking: boolean;
	readonly request: ModelRequest;
	/** The whole prompt in the order in which the provider caches it: tools, system, messages. */
	readonly segments: readonly Segment[];
	/** Where the prompt may be cached: marked by the caller for Anthropic, by the provider for OpenAI. */
	readonly breakpoints: readonly Breakpoint[];
}

const OPENAI_LIFETIME = 30 * 60_000;
const OPENAI_BREAKPOINTS = 81;

/**
 * OpenAI's prompt-caching guide, GPT-5.6 and later: the newest user or tool message is a breakpoint, and the newest 80
 * earlier ones are considered.
 *
 * @param positions segments that end a user or tool message, in order
 */
export function openaiBreakpoints(positions: readonly number[]): readonly Breakpoint[] {
	return positions.slice(-OPENAI_BREAKPOINTS).map((position) => ({ position, lifetime: OPENAI_LIFETIME }));
}
