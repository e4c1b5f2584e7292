import { type Fields, fieldsOf } from "./json.ts";

/** Why a request was not answered, independent of the error body that each API wraps around it. */
export interface Refusal {
	/** HTTP status. */
	readonly status: number;
	/** The provider's error type, such as `invalid_request_error`. */
	readonly type: string;
	readonly message: string;
	/** OpenAI only: the part of the request that was refused. */
	readonly param?: string;
	/** The machine-readable reason; at Anthropic message threads only. */
	readonly code?: string;
}

/** A status 400, the answer of all three APIs to a request that breaks their rules. */
export function badRequest(message: string, param?: string, code?: string): Refusal {
	return {
		status: 400,
		type: "invalid_request_error",
		message,
		...(param === undefined ? {} : { param }),
		...(code === undefined ? {} : { code }),
	};
}

/** A rule of an API: the reason to refuse a body, if it breaks the rule. */
export type Rule = (body: Fields) => Refusal | undefined;

/** The first rule that refuses decides, as in the real APIs. */
export function applyRules(rules: readonly Rule[], body: unknown): Refusal | undefined {
	const fields = fieldsOf(body);
	for (const rule of rules) {
		const refusal = rule(fields);
		if (refusal) return refusal;
	}
	return undefined;
}

/** The first refusal that a check finds in a list. */
export function firstOf<T>(
	list: readonly T[],
	check: (item: T, index: number) => Refusal | undefined,
): Refusal | undefined {
	for (const [index, item] of list.entries()) {
		const refusal = check(item, index);
		if (refusal) return refusal;
	}
	return undefined;
}

/** The error body of both OpenAI APIs (platform.openai.com/docs/guides/error-codes). */
export function openaiErrorBody(refusal: Refusal): unknown {
	const { message, type, param = null, code = null } = refusal;
	return { error: { message, type, param, code } };
}

/** The error body of the Messages API (docs.claude.com/en/api/errors). */
export function anthropicErrorBody(refusal: Refusal): unknown {
	const { type, message, code } = refusal;
	const details = code === undefined ? {} : { details: { error_code: code } };
	return { type: "error", error: { type, message, ...details }, request_id: null };
}
