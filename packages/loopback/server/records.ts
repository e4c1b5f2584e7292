import type { Refusal } from "../refusal.ts";
import type { ApiName } from "../wire/api.ts";

/** One request, answered or refused. All counts are in tokens, as the server counted them. */
export interface RequestRecord {
	/** Position among all requests of the server, from 0. */
	readonly index: number;
	readonly api: ApiName;
	readonly model: string;
	readonly promptTokens: number;
	readonly cachedTokens: number;
	/** Written to the cache at a premium; Anthropic, and OpenAI models from GPT-5.6 on. */
	readonly writtenTokens: number;
	readonly outputTokens: number;
	/** The tokens that a cache without markers would have served, whichever API this was: OpenAI's older rule. */
	readonly prefixTokens: number;
	/** Thinking blocks or reasoning items that a checking provider rejects, also when this model does not check. */
	readonly staleThinking: number;
	/** Thinking blocks or reasoning items that the provider removed from the request. */
	readonly droppedThinking: number;
	readonly refused?: Refusal;
	/** The parsed body as it was sent, if the server keeps bodies. */
	readonly body?: unknown;
	/** The prompt starts with the whole prompt of the model's previous request, cache markers aside. */
	readonly extendsPrevious: boolean;
}

/** Sums over records. Tokens leave out refused requests, which providers do not bill. */
export function totalRecords(records: readonly RequestRecord[]) {
	const answered = records.filter((record) => !record.refused);
	const sum = (of: (record: RequestRecord) => number): number =>
		answered.reduce((total, record) => total + of(record), 0);
	return {
		requests: records.length,
		refused: records.length - answered.length,
		/** Requests other than a model's first that did not extend the one before. */
		breaks: records.filter((record) => !record.extendsPrevious).length,
		promptTokens: sum((record) => record.promptTokens),
		cachedTokens: sum((record) => record.cachedTokens),
		/** Refused requests included. */
		staleThinking: records.reduce((total, record) => total + record.staleThinking, 0),
	};
}
