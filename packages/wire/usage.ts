/** The usage that an answer reports, found while its bytes pass. */

import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { isRecord, type UnknownRecord } from "#basics";
import { parseJson } from "./formats/json-bytes.ts";

/** Answers that are no stream of events are read up to this size, in characters. */
const MAX_ANSWER = 16 * 1024 * 1024;

export interface AnswerHead {
	readonly status: number | undefined;
	readonly type: string | undefined;
	/** In bytes, where the answer says how many come. */
	readonly length: string | undefined;
}

export type UsageReader = NonNullable<ReturnType<typeof createUsageReader>>;

/**
 * Creates a reader of an answer's bytes, decompressed. Usage, as the API names it, is taken before `read` or `end` returns with
 * the part that completes it, and once, or never where an answer reports none that can be read. Undefined for an answer that
 * cannot report any.
 */
export function createUsageReader(
	{ status, type = "", length }: AnswerHead,
	take: (usage: UnknownRecord) => void,
) {
	if (status !== 200) return undefined;
	const isStream = type.includes("text/event-stream");
	const decoder = new StringDecoder("utf8");
	let received = 0;
	let whole = "";
	let isTaken = false;
	const takeFrom = (json: string) => {
		const usage = isTaken ? undefined : findUsage(json);
		if (!usage) return;
		isTaken = true;
		take(usage);
	};
	const events = createParser({ onEvent: ({ data }) => takeFrom(data) });
	return {
		read(part: Uint8Array) {
			received += part.length;
			const text = isTaken ? "" : decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length));
			if (isStream) events.feed(text);
			else if (whole.length <= MAX_ANSWER) whole += text;
			if (received === Number(length)) takeFrom(whole);
		},
		end: () => takeFrom(whole),
	};
}

/** Usage stands at the top, or in the message or response that an event carries. */
function findUsage(json: string): UnknownRecord | undefined {
	const value = json.includes('"usage"') ? parseJson(json) : undefined;
	if (!isRecord(value)) return undefined;
	return [value, value.message, value.response]
		.map((holder) => (isRecord(holder) ? holder.usage : undefined))
		.find(isRecord);
}
