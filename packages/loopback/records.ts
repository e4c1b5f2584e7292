import type { ApiName } from "./faults.ts";
import type { Refusal } from "./refusal.ts";

/** One request, answered or refused. All counts are in tokens, as the server counted them. */
export interface RequestRecord {
	/** Position among all requests of the server, from 0. */
	readonly index: number;
	readonly api: ApiName;
	readonly model: string;
	readonly promptTokens: number;
	readonly cachedTokens: number;
	/** Written to the cache at a premium; Anthropic only. */
	readonly writtenTokens: number;
	readonly outputTokens: number;
	/** What a cache that needs no markers would have served, whichever API this was: OpenAI's rule. */
	readonly prefixTokens: number;
	readonly refused?: Refusal;
	/** The parsed body, if the server was told to keep it. */
	readonly body?: unknown;
	/** Whether the prompt starts with the whole prompt of the model's previous request, cache markers aside. */
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
}

/** Sums over records; the token columns leave out requests that were refused, for nobody pays for those. */
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
