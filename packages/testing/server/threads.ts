/**
 * Message threads (Anthropic, beta `message-threads-2026-08-12`): the server holds a conversation under the id of its last
 * answer, and a request that continues it has only the new messages, without system prompt and tools.
 */
import { fieldsOf, textOf, type UnknownRecord } from "#basics";
import { badRequest, type Refusal } from "../refusal.ts";
import { messagesIn } from "../request-body.ts";

const BETA = "message-threads-2026-08-12";

/** A thread that nobody continues for this long is gone; in ms. */
const LIFETIME = 5 * 60_000;

/** The fields that a request which continues a thread repeats. */
const FIXED = ["model", "thinking", "output_config", "tool_choice", "fallbacks"] as const;

interface Thread {
	/** The request with the answer to it. */
	readonly whole: UnknownRecord;
	readonly fingerprint: string;
	readonly expires: number;
	isContinued: boolean;
}

/** A request as the provider sees it. */
export interface ThreadedRequest {
	readonly body: UnknownRecord;
	readonly refusal?: Refusal;
	/** Holds the conversation under the id of its answer; absent for a request without a thread. */
	readonly hold?: (id: string, content: unknown) => void;
}

/** A message as a thread keeps it: a request may set four cache breakpoints of its own, whatever earlier ones set. */
function withoutBreakpoints(message: UnknownRecord): UnknownRecord {
	const { content } = message;
	if (!Array.isArray(content)) return message;
	const kept = content.map((block: unknown) => {
		const { cache_control: _, ...rest } = fieldsOf(block);
		return rest;
	});
	return { ...message, content: kept };
}

/** Creates the threads of one server. `now` gives the time in ms. */
export function createThreads(now: () => number) {
	const threads = new Map<string, Thread>();
	const fingerprintOf = (body: UnknownRecord) => JSON.stringify(FIXED.map((field) => body[field] ?? null));

	function hold(body: UnknownRecord, previous?: Thread): ThreadedRequest {
		return {
			body,
			hold(id, content) {
				if (previous) previous.isContinued = true;
				const messages = [...messagesIn(body).map(withoutBreakpoints), { role: "assistant", content }];
				const expires = now() + LIFETIME;
				const fingerprint = fingerprintOf(body);
				threads.set(id, { whole: { ...body, messages }, fingerprint, expires, isContinued: false });
			},
		};
	}

	function resume(body: UnknownRecord, previous: string): ThreadedRequest {
		const thread = threads.get(previous);
		const refuse = (status: number, type: string, code: string, message: string) => ({
			body,
			refusal: { status, type, code, message: `thread: ${message}` },
		});
		if (!thread || thread.expires <= now())
			return refuse(404, "not_found_error", "thread_not_found", `message ${previous} has no usable thread`);
		const refuseField = (code: string, message: string) =>
			refuse(400, "invalid_request_error", code, message);
		if (thread.isContinued)
			return refuseField("thread_already_continued", `message ${previous} was continued already`);
		if (thread.fingerprint !== fingerprintOf(body))
			return refuseField("thread_fingerprint_mismatch", "a field differs from the one of the thread");
		const isKept = (field: string) => field in body || field === "system" || field === "tools";
		const kept = Object.entries(thread.whole).filter(([field]) => isKept(field));
		const messages = [...messagesIn(thread.whole), ...messagesIn(body)];
		return hold({ ...Object.fromEntries(kept), ...body, messages }, thread);
	}

	/** Completes a request by the messages that its thread holds. */
	return ({ thread, ...body }: UnknownRecord, betas: ReadonlySet<string>): ThreadedRequest => {
		if (thread === undefined || thread === null) return { body };
		const { type, previous_message_id: previous } = fieldsOf(thread);
		if (!betas.has(BETA) || (type !== "create" && type !== "continue"))
			return { body, refusal: badRequest("thread: Extra inputs are not permitted") };
		return type === "create" ? hold(body) : resume(body, textOf(previous));
	};
}
