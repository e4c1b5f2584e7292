import type { Segmenter } from "../cache/segment.ts";
import { checkAnthropic } from "../provider-rules/anthropic.ts";
import { checkCompletions } from "../provider-rules/completions.ts";
import { checkResponses } from "../provider-rules/responses.ts";
import { readAnthropic } from "../read/anthropic.ts";
import { readCompletions } from "../read/completions.ts";
import { readResponses } from "../read/responses.ts";
import type { ModelReply } from "../script/scripted-model.ts";
import type { SealingApi } from "../thinking/conversation.ts";
import { type Fields, fieldsOf } from "../wire/json.ts";
import type { Reading } from "../wire/reading.ts";
import { anthropicErrorBody, openaiErrorBody, type Refusal } from "../wire/refusal.ts";
import { composeAnthropic, presentAnthropic, streamAnthropic, wholeAnthropic } from "../write/anthropic.ts";
import { streamCompletions, wholeCompletions } from "../write/completions.ts";
import { composeResponses, streamResponses, wholeResponses } from "../write/responses.ts";
import type { ApiName } from "./faults.ts";
import type { Turn } from "./turn.ts";

/** How an API writes and signs the model's thinking. */
export interface Sealing {
	readonly format: SealingApi;
	/** A reply as blocks or items, before its thinking is signed. */
	readonly compose: (reply: Required<ModelReply>, response: string) => readonly Fields[];
	/** The signed reply as it goes out for a request. */
	readonly present: (content: readonly Fields[], body: Fields) => readonly Fields[];
}

/** Everything in which the wire formats differ. */
export interface Api {
	readonly name: ApiName;
	readonly check: (body: unknown) => Refusal | undefined;
	readonly read: (body: Fields, segment: Segmenter) => Reading;
	/** Missing for chat completions, whose thinking carries no signature. */
	readonly sealing?: Sealing;
	/** The endpoint only counts the request's tokens, and no model answers. */
	readonly onlyCounts?: boolean;
	/** The turn as server-sent events. */
	readonly stream: (turn: Turn) => readonly string[];
	/** The turn as one JSON body. */
	readonly whole: (turn: Turn) => unknown;
	readonly errorBody: (refusal: Refusal) => unknown;
}

const COMPLETIONS: Api = {
	name: "completions",
	check: checkCompletions,
	read: readCompletions,
	stream: streamCompletions,
	whole: wholeCompletions,
	errorBody: openaiErrorBody,
};

const RESPONSES: Api = {
	name: "responses",
	check: checkResponses,
	read: readResponses,
	sealing: { format: "responses", compose: composeResponses, present: (content) => content },
	stream: streamResponses,
	whole: wholeResponses,
	errorBody: openaiErrorBody,
};

const ANTHROPIC: Api = {
	name: "anthropic",
	check: checkAnthropic,
	read: readAnthropic,
	sealing: { format: "anthropic", compose: composeAnthropic, present: presentAnthropic },
	stream: streamAnthropic,
	whole: wholeAnthropic,
	errorBody: anthropicErrorBody,
};

/** Counting applies the same rules as answering, but needs no output limit. */
const ANTHROPIC_COUNT: Api = {
	...ANTHROPIC,
	check: (body) => checkAnthropic({ max_tokens: 1, ...fieldsOf(body) }),
	onlyCounts: true,
};

const BY_PATH: ReadonlyMap<string, Api> = new Map([
	["/v1/chat/completions", COMPLETIONS],
	["/v1/responses", RESPONSES],
	["/v1/messages", ANTHROPIC],
	["/v1/messages/count_tokens", ANTHROPIC_COUNT],
]);

/** The API that answers a request line, whatever its query. */
export function findApi(method: string | undefined, url: string | undefined): Api | undefined {
	return method === "POST" ? BY_PATH.get((url ?? "").split("?")[0] ?? "") : undefined;
}
