/** Finds what an answer reports as its usage, while its bytes pass. */
import type { IncomingMessage } from "node:http";
import { finished, PassThrough, Transform } from "node:stream";
import zlib from "node:zlib";
import { createParser } from "eventsource-parser";
import { isRecord, type UnknownRecord } from "#core";

/** The provider's own figures for a request, as the API names them. */
export type Usage = UnknownRecord;

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

/**
 * A stream for the bytes of an answer, which hands each part on as it is, once the usage in it was taken: an agent that
 * has its whole answer can rely on that. Usage is taken once, or never where an answer reports none that can be read.
 * Undefined for an answer that cannot report any.
 */
export function watchUsage(answer: IncomingMessage, take: (usage: Usage) => void): Transform | undefined {
	const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() || "identity";
	const decoder = answer.statusCode === 200 ? decoders.get(encoding)?.() : undefined;
	if (!decoder) return undefined;
	const isStream = answer.headers["content-type"]?.includes("text/event-stream") === true;
	const reader = isStream ? readEvents(take) : readObject(take);
	decoder.setEncoding("utf8");
	decoder.on("data", reader.add).on("end", reader.end);
	// The agent gets the same bytes, and judges damage itself.
	decoder.on("error", () => undefined);
	answer.on("close", () => answer.complete || decoder.destroy());
	const length = Number(answer.headers["content-length"]);
	let received = 0;
	/** Hands on what waits for the decoder. A damaged answer closes it, and it calls back for no part any more. */
	let handOn = () => {};
	const release = () => {
		const waiting = handOn;
		handOn = () => {};
		waiting();
	};
	const end = () => {
		decoder.end();
		finished(decoder, release);
	};
	decoder.on("close", release);
	return new Transform({
		transform(part: Buffer, _encoding, done) {
			handOn = () => done(null, part);
			received += part.length;
			decoder.write(part, () => (received === length ? end() : release()));
		},
		flush(done) {
			handOn = done;
			end();
		},
	});
}

/** Takes the text of an answer in parts. */
interface TextReader {
	readonly add: (text: string) => void;
	readonly end: () => void;
}

function readEvents(take: (usage: Usage) => void): TextReader {
	let isFound = false;
	const parser = createParser({
		onEvent({ data }) {
			const usage = !isFound && data.includes('"usage"') ? findUsage(data) : undefined;
			if (!usage) return;
			isFound = true;
			take(usage);
		},
	});
	return { add: (text) => isFound || parser.feed(text), end: () => undefined };
}

function readObject(take: (usage: Usage) => void): TextReader {
	let whole = "";
	return {
		add(text) {
			if (whole.length <= MAX_ANSWER) whole += text;
		},
		end() {
			const usage = findUsage(whole);
			if (usage) take(usage);
		},
	};
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
