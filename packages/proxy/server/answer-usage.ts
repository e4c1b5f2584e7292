/** Finds what an answer reports as its usage, in a copy of its bytes while they pass. */
import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { createParser } from "eventsource-parser";
import { isRecord, type UnknownRecord } from "#core";

/** The provider's own figures for a request, as the API names them. */
export type Usage = UnknownRecord;

export interface UsageWatch {
	/** Takes the answer before its first byte arrives. The answer goes on at its own pace. */
	watch(answer: IncomingMessage): void;
	/** Resolves once the answer is over; undefined if it reports nothing that can be read. Never rejects. */
	read(): Promise<Usage | undefined>;
}

/** Newer versions of Node only. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
	["identity", () => new PassThrough()],
	["gzip", () => zlib.createGunzip()],
	["deflate", () => zlib.createInflate()],
	["br", () => zlib.createBrotliDecompress()],
	...(createZstdDecompress ? [["zstd", createZstdDecompress] satisfies [string, () => Transform]] : []),
]);

/** Answers that are no stream of events are read up to this size, in characters. */
const MAX_ANSWER = 16 * 1024 * 1024;

export function createUsageWatch(): UsageWatch {
	let found: Promise<Usage | undefined> = Promise.resolve(undefined);
	return {
		watch(answer) {
			const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() || "identity";
			const decoder = decoders.get(encoding)?.();
			if (answer.statusCode !== 200 || !decoder) return;
			const isStream = answer.headers["content-type"]?.includes("text/event-stream") === true;
			// An answer that breaks off or is damaged reports what stood before that.
			answer.on("data", (chunk: Buffer) => decoder.destroyed || decoder.write(chunk));
			answer.on("close", () => decoder.end());
			found = isStream ? findInEvents(decoder) : findInText(decoder);
		},
		read: () => found,
	};
}

async function findInEvents(answer: Readable): Promise<Usage | undefined> {
	let usage: Usage | undefined;
	const parser = createParser({
		onEvent({ data }) {
			if (data.includes('"usage"')) usage ??= findUsage(data);
		},
	});
	await eachText(answer, (text) => {
		if (!usage) parser.feed(text);
	});
	return usage;
}

async function findInText(answer: Readable): Promise<Usage | undefined> {
	let whole = "";
	await eachText(answer, (text) => {
		if (whole.length <= MAX_ANSWER) whole += text;
	});
	return findUsage(whole);
}

async function eachText(answer: Readable, take: (text: string) => void) {
	answer.setEncoding("utf8");
	try {
		for await (const text of answer) take(String(text));
	} catch {
		// The agent has the same bytes, and judges them itself.
	}
}

/** Usage stands at the top, or in the message or response that an event carries. */
function findUsage(json: string): Usage | undefined {
	const value = parse(json);
	if (!isRecord(value)) return undefined;
	return [value, value.message, value.response]
		.map((holder) => (isRecord(holder) ? holder.usage : undefined))
		.find(isRecord);
}

function parse(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
