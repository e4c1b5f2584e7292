import type { Breakpoint } from "./cache/breakpoints.ts";
import type { Segment } from "./cache/segment.ts";
import type { ModelRequest } from "./model.ts";

/** Tokens that the envelope of one message costs, in all three APIs. */
export const MESSAGE_FRAMING = 4;

/** A flat price for an image: the tokenizer cannot count one, and its size in tokens varies by provider. */
export const IMAGE_TEXT = "image ".repeat(1000);

/** A request body, understood. */
export interface Reading {
	readonly model: string;
	/** Whether the answer goes out as server-sent events. */
	readonly stream: boolean;
	/** Whether a stream ends with a usage chunk; only chat completions lets the caller choose. */
	readonly streamUsage: boolean;
	/** Whether the caller allows the reply to hold thinking. */
	readonly thinking: boolean;
	readonly request: ModelRequest;
	/** The whole prompt in the order in which the provider caches it: tools, system, messages. */
	readonly segments: readonly Segment[];
	readonly breakpoints: readonly Breakpoint[];
}
