/** Message threads: conversations that Anthropic's server holds between requests (beta, November 2026). */

import { canonicalText } from "../thinking/canonical-text.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { badRequest, type Refusal } from "../wire/refusal.ts";

export const THREADS_BETA = "message-threads-2026-08-12";

/** A thread expires after this time without a request, in ms. */
export const THREAD_LIFETIME = 5 * 60_000;

/** A conversation up to and with the response that its key names. */
interface Thread {
	readonly fingerprint: string;
	readonly system: unknown;
	readonly tools: unknown;
	readonly messages: readonly Fields[];
	readonly answeredAt: number;
	/** A response can be continued once. */
	readonly isContinued: boolean;
}

/** A request as if it had been sent in full. */
export interface OpenedRequest {
	readonly body: Fields;
	readonly thread?: "create" | "continue";
	readonly refusal?: Refusal;
}

export interface Threads {
	/** Puts the held part of the conversation in front of a request that continues a thread. */
	readonly open: (body: Fields, betas: ReadonlySet<string>) => OpenedRequest;
	/** Holds the conversation under the id of its response, if the request asked for a thread. */
	readonly keep: (
		sent: Fields,
		opened: OpenedRequest,
		responseId: string,
		content: readonly Fields[],
	) => void;
}

/** The settings that must stay the same within a thread. */
function fingerprintOf(body: Fields): string {
	const { model, thinking, output_config: outputConfig, tool_choice: toolChoice, fallbacks } = body;
	return canonicalText({ model, thinking, outputConfig, toolChoice, fallbacks });
}

/** The cache markers of one request are not those of the next, which may set four of its own. */
function withoutMarkers(message: Fields): Fields {
	if (typeof message.content === "string") return message;
	const content = objectsOf(message.content).map(({ cache_control: _marker, ...block }) => block);
	return { ...message, content };
}

function threadRefusal(status: 400 | 404, code: string, message: string): Refusal {
	const type = status === 404 ? "not_found_error" : "invalid_request_error";
	return { status, type, message, code };
}

function findThreadRefusal(
	thread: Thread | undefined,
	body: Fields,
	id: string,
	now: number,
): Refusal | undefined {
	if (!thread || now - thread.answeredAt > THREAD_LIFETIME) {
		return threadRefusal(404, "thread_not_found", `thread.previous_message_id: No thread found for '${id}'.`);
	}
	if (thread.isContinued) {
		const message = `thread.previous_message_id: '${id}' has already been continued.`;
		return threadRefusal(400, "thread_already_continued", message);
	}
	const changesHead = [body.system, body.tools].some((value) => value !== undefined);
	if (!changesHead && thread.fingerprint === fingerprintOf(body)) return undefined;
	const message = "thread: Settings that are fixed for the thread have changed.";
	return threadRefusal(400, "thread_fingerprint_mismatch", message);
}

/** Creates the threads of one server. `now` gives the time in ms. */
export function createThreads(now: () => number): Threads {
	const threads = new Map<string, Thread>();

	function continueThread(body: Fields, id: string): OpenedRequest {
		const thread = threads.get(id);
		const refusal = findThreadRefusal(thread, body, id, now());
		if (refusal || !thread) return { body, thread: "continue", ...(refusal ? { refusal } : {}) };
		const messages = [...thread.messages, ...objectsOf(body.messages)];
		const { system, tools } = thread;
		return { body: { ...body, system, tools, messages }, thread: "continue" };
	}

	return {
		open(body, betas) {
			const { thread, ...rest } = body;
			if (thread === undefined || thread === null) return { body: rest };
			if (!betas.has(THREADS_BETA)) {
				return { body: rest, refusal: badRequest("thread: Extra inputs are not permitted") };
			}
			const { type, previous_message_id: previous } = fieldsOf(thread);
			if (type === "create") return { body: rest, thread: "create" };
			if (type === "continue") return continueThread(rest, stringOf(previous));
			return { body: rest, refusal: badRequest("thread.type: Input should be 'create' or 'continue'") };
		},
		keep(sent, { body, thread }, responseId, content) {
			if (!thread) return;
			const previous = stringOf(fieldsOf(sent.thread).previous_message_id);
			const continued = threads.get(previous);
			if (continued) threads.set(previous, { ...continued, messages: [], isContinued: true });
			const { system, tools } = body;
			const messages = [...objectsOf(body.messages).map(withoutMarkers), { role: "assistant", content }];
			const fingerprint = fingerprintOf(body);
			threads.set(responseId, {
				fingerprint,
				system,
				tools,
				messages,
				answeredAt: now(),
				isContinued: false,
			});
		},
	};
}
