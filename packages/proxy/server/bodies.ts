/** Request bodies, read up to a limit and decoded; and the usage that an answer reports, found while its bytes pass. */
import type { IncomingMessage } from "node:http";
import { finished, PassThrough, Transform } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { createParser } from "eventsource-parser";
import { isRecord, type UnknownRecord } from "#core";
import { parseJson } from "../wire/json-bytes.ts";

/** Larger bodies pass unread; in bytes. */
const MAX_BODY = 64 * 1024 * 1024;

/** The body of a request as it is sent on. */
export type Body =
	/** What was read of it, and what is still to come from the request as it arrives. */
	| { readonly type: "stream"; readonly begun?: Buffer }
	/** The one that arrived. */
	| { readonly type: "whole"; readonly bytes: Buffer }
	/** Another one, without compression. */
	| { readonly type: "edited"; readonly bytes: Buffer };

/** Reads a body that is to be understood, up to the limit. Rejects when the sender breaks off. */
export async function readBody(request: IncomingMessage): Promise<Exclude<Body, { type: "edited" }>> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > MAX_BODY) return { type: "stream", begun: Buffer.concat(chunks, size) };
	}
	return { type: "whole", bytes: Buffer.concat(chunks, size) };
}

/** Newer versions of Node only. */
const { zstdDecompress, createZstdDecompress } = zlib as {
	readonly zstdDecompress?: typeof zlib.gunzip;
	readonly createZstdDecompress?: () => Transform;
};

interface Decoder {
	/** Decodes a whole body on a thread of its own, so that other requests go on meanwhile. */
	readonly whole: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;
	readonly stream: () => Transform;
}

const decoders = new Map<string, Decoder>([
	["identity", { whole: async (bytes) => bytes, stream: () => new PassThrough() }],
	["gzip", { whole: promisify(zlib.gunzip), stream: () => zlib.createGunzip() }],
	["deflate", { whole: promisify(zlib.inflate), stream: () => zlib.createInflate() }],
	["br", { whole: promisify(zlib.brotliDecompress), stream: () => zlib.createBrotliDecompress() }],
]);
if (zstdDecompress && createZstdDecompress)
	decoders.set("zstd", { whole: promisify(zstdDecompress), stream: createZstdDecompress });

function findDecoder(encoding: string | undefined): Decoder | undefined {
	return decoders.get(encoding?.trim().toLowerCase() || "identity");
}

/** The body without its compression; undefined if that is unknown, damaged, or hides more than the limit. */
export async function decodeBody(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
	try {
		return await findDecoder(encoding)?.whole(bytes, { maxOutputLength: MAX_BODY });
	} catch {
		return undefined;
	}
}

/** Answers that are no stream of events are read up to this size, in characters. */
const MAX_ANSWER = 16 * 1024 * 1024;

/**
 * A stream for the bytes of an answer, which hands each part on as it is, once the usage in it was taken: an agent that
 * has its whole answer can rely on that. Usage, as the API names it, is taken once, or never where an answer reports none that can be read.
 * Undefined for an answer that cannot report any.
 */
export function watchUsage(
	answer: IncomingMessage,
	take: (usage: UnknownRecord) => void,
): Transform | undefined {
	const known = answer.statusCode === 200 ? findDecoder(answer.headers["content-encoding"]) : undefined;
	const decoder = known?.stream();
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

function readEvents(take: (usage: UnknownRecord) => void): TextReader {
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

function readObject(take: (usage: UnknownRecord) => void): TextReader {
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
function findUsage(json: string): UnknownRecord | undefined {
	const value = parseJson(json);
	if (!isRecord(value)) return undefined;
	return [value, value.message, value.response]
		.map((holder) => (isRecord(holder) ? holder.usage : undefined))
		.find(isRecord);
}
