import { badRequest, type Refusal } from "../wire/refusal.ts";
import type { Usage } from "./turn.ts";

/** A fault that the server simulates. */
export type Fault =
	/** The request is refused before its body is read. */
	| { readonly type: "status"; readonly status: 429 | 500 | 529 }
	/** The request is refused as longer than the context window. */
	| { readonly type: "overflow" }
	/** The connection is reset in the middle of the answer. */
	| { readonly type: "reset" }
	/** The answer stops in the middle and the connection stays open. */
	| { readonly type: "stall" }
	/** The answer reports no usage. */
	| { readonly type: "usage-missing" }
	/** Every input column of the reported usage is multiplied. */
	| { readonly type: "usage-scaled"; readonly factor: number };

/** The APIs, by the names that records and error shapes use. */
export type ApiName = "completions" | "responses" | "anthropic";

/** Errors as in docs.claude.com/en/api/errors. */
const ANTHROPIC_FAULTS = {
	429: {
		type: "rate_limit_error",
		message: "This request would exceed your account's rate limit. Please try again later.",
	},
	500: { type: "api_error", message: "Internal server error" },
	529: { type: "overloaded_error", message: "Overloaded" },
} as const;

/** Errors as in platform.openai.com/docs/guides/error-codes; 529 is Anthropic's alone and reads as overloaded. */
const OPENAI_FAULTS = {
	429: { type: "requests", message: "Rate limit reached for requests", code: "rate_limit_exceeded" },
	500: { type: "server_error", message: "The server had an error while processing your request", code: null },
	529: {
		type: "server_error",
		message: "The engine is currently overloaded, please try again later",
		code: null,
	},
} as const;

export function statusFault(api: ApiName, status: 429 | 500 | 529): Refusal {
	if (api === "anthropic") return { status, ...ANTHROPIC_FAULTS[status] };
	const { type, message, code } = OPENAI_FAULTS[status];
	return { status, type, message, ...(code === null ? {} : { code }) };
}

/** The error of a prompt that is longer than the context window, both in tokens, in the provider's own words. */
export function overflowRefusal(api: ApiName, tokens: number, contextWindow: number): Refusal {
	const code = "context_length_exceeded";
	switch (api) {
		case "anthropic":
			return badRequest(`prompt is too long: ${tokens} tokens > ${contextWindow} maximum`);
		case "responses":
			return badRequest(
				"Your input exceeds the context window of this model. Please adjust your input and try again.",
				"input",
				code,
			);
		case "completions":
			return badRequest(
				`This model's maximum context length is ${contextWindow} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
				"messages",
				code,
			);
	}
}

/** The usage that is reported under a fault; scaled columns still add up. */
export function reportedUsage(usage: Usage, fault: Fault | undefined): Usage | undefined {
	if (fault?.type === "usage-missing") return undefined;
	if (fault?.type !== "usage-scaled") return usage;
	const scale = (tokens: number): number => Math.floor(tokens * fault.factor);
	return {
		...usage,
		prompt: scale(usage.prompt),
		read: scale(usage.read),
		written: scale(usage.written),
		written1h: scale(usage.written1h),
	};
}
