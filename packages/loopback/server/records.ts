import type { Refusal } from "../wire/refusal.ts";
import type { ApiName } from "./faults.ts";

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
	/** The part of `writtenTokens` that lives one hour. */
	readonly longWrittenTokens: number;
	readonly outputTokens: number;
	/** The tokens that a cache without markers would have served, whichever API this was: OpenAI's older rule. */
	readonly prefixTokens: number;
	/** Thinking blocks or reasoning items that a checking provider rejects, also when this model does not check. */
	readonly staleThinking: number;
	/** Thinking blocks or reasoning items that the provider removed from the request. */
	readonly droppedThinking: number;
	/** US dollars; undefined when the server has no price of the model. Nothing for a refused request. */
	readonly cost?: number;
	/** Set when the request created or continued a message thread. */
	readonly thread?: "create" | "continue";
	readonly refused?: Refusal;
	/** The parsed body as it was sent, if the server keeps bodies. */
	readonly body?: unknown;
	/** The prompt starts with the whole prompt of the model's previous request, cache markers aside. */
	readonly extendsPrevious: boolean;
}

export interface RecordTotals {
	readonly requests: number;
	readonly refused: number;
	/** Requests other than a model's first that did not extend the one before. */
	readonly breaks: number;
	readonly promptTokens: number;
	readonly cachedTokens: number;
	readonly writtenTokens: number;
	readonly outputTokens: number;
	/** Stale thinking of all requests, refused ones included. */
	readonly staleThinking: number;
	readonly droppedThinking: number;
	/** US dollars, without the requests of models that have no price. */
	readonly cost: number;
}

/** Sums over records. Tokens and cost leave out refused requests, which providers do not bill. */
export function totalRecords(records: readonly RequestRecord[]): RecordTotals {
	const answered = records.filter((record) => !record.refused);
	const sum = (of: (record: RequestRecord) => number): number =>
		answered.reduce((total, record) => total + of(record), 0);
	return {
		requests: records.length,
		refused: records.length - answered.length,
		breaks: records.filter((record) => !record.extendsPrevious).length,
		promptTokens: sum((record) => record.promptTokens),
		cachedTokens: sum((record) => record.cachedTokens),
		writtenTokens: sum((record) => record.writtenTokens),
		outputTokens: sum((record) => record.outputTokens),
		staleThinking: records.reduce((total, record) => total + record.staleThinking, 0),
		droppedThinking: sum((record) => record.droppedThinking),
		cost: sum((record) => record.cost ?? 0),
	};
}

export interface RecordLog {
	readonly add: (record: RequestRecord) => void;
	readonly all: () => readonly RequestRecord[];
}

/** A log that holds the bodies of the `keepBodies` most recent requests: all with true, none with false. */
export function createRecordLog(keepBodies: boolean | number): RecordLog {
	const limit = typeof keepBodies === "number" ? keepBodies : keepBodies ? Number.POSITIVE_INFINITY : 0;
	const records: RequestRecord[] = [];
	const dropBody = (position: number): void => {
		const record = records[position];
		if (!record) return;
		const { body: _body, ...rest } = record;
		records[position] = rest;
	};
	return {
		add(record) {
			records.push(record);
			dropBody(records.length - 1 - limit);
		},
		all: () => [...records],
	};
}
