import type { Segmenter } from "./cache/segment.ts";
import type { ApiName } from "./faults.ts";
import type { Fields } from "./json.ts";
import { readAnthropic } from "./read/anthropic.ts";
import { readCompletions } from "./read/completions.ts";
import { readResponses } from "./read/responses.ts";
import type { Reading } from "./reading.ts";
import { anthropicErrorBody, openaiErrorBody, type Refusal } from "./refusal.ts";
import { checkAnthropic } from "./strict/anthropic.ts";
import { checkCompletions } from "./strict/completions.ts";
import { checkResponses } from "./strict/responses.ts";
import type { Turn } from "./turn.ts";
import { streamAnthropic, wholeAnthropic } from "./write/anthropic.ts";
import { streamCompletions, wholeCompletions } from "./write/completions.ts";
import { streamResponses, wholeResponses } from "./write/responses.ts";

/** Everything in which the three wire formats differ. */
export interface Api {
	readonly name: ApiName;
	readonly check: (body: unknown) => Refusal | undefined;
	readonly read: (body: Fields, segment: Segmenter) => Reading;
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
	stream: streamResponses,
	whole: wholeResponses,
	errorBody: openaiErrorBody,
};

const ANTHROPIC: Api = {
	name: "anthropic",
	check: checkAnthropic,
	read: readAnthropic,
	stream: streamAnthropic,
	whole: wholeAnthropic,
	errorBody: anthropicErrorBody,
};

const BY_PATH: ReadonlyMap<string, Api> = new Map([
	["/v1/chat/completions", COMPLETIONS],
	["/v1/responses", RESPONSES],
	["/v1/messages", ANTHROPIC],
]);

/** The API that answers a request line, whatever its query. */
export function findApi(method: string | undefined, url: string | undefined): Api | undefined {
	return method === "POST" ? BY_PATH.get((url ?? "").split("?")[0] ?? "") : undefined;
}
