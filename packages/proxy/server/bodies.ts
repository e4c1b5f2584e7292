/** Request bodies, read up to a limit and decoded; and the usage that an answer reports, found while its bytes pass. */
import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { createParser } from "eventsource-parser";
import { isRecord, type UnknownRecord } from "#core";
import { parseJson } from "../wire/json-bytes.ts";

/** Larger bodies pass unread; in bytes. */
const MAX_BODY = 64 * 1024 * 1024;

/** The body of a request as it is sent on. */
export type Body =
	/** The part that was read; the rest is still to come from the request as it arrives. */
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

/** Decodes a whole body on a thread of its own, so that other requests go on meanwhile. */
type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decode>([
	["identity", async (bytes) => bytes],
	["gzip", promisify(zlib.gunzip)],
	["deflate", promisify(zlib.inflate)],
	["br", promisify(zlib.brotliDecompress)],
]);
/** Newer versions of Node only. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: typeof zlib.gunzip };
if (zstdDecompress) decoders.set("zstd", promisify(zstdDecompress));

/** The body without its compression; undefined if that is unknown, damaged, or hides more than the limit. */
export async function decodeBody(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
	try {
		const decode = decoders.get(encoding?.trim().toLowerCase() || "identity");
		return await decode?.(bytes, { maxOutputLength: MAX_BODY });
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
	{ statusCode, headers }: IncomingMessage,
	take: (usage: UnknownRecord) => void,
): Transform | undefined {
	if (statusCode !== 200 || (headers["content-encoding"] ?? "identity") !== "identity") return undefined;
	const isStream = headers["content-type"]?.includes("text/event-stream") === true;
	const length = Number(headers["content-length"]);
	const decoder = new StringDecoder("utf8");
	let [received, whole, isTaken] = [0, "", false];
	const takeFrom = (json: string) => {
		const usage = isTaken ? undefined : findUsage(json);
		if (!usage) return;
		isTaken = true;
		take(usage);
	};
	const events = createParser({ onEvent: ({ data }) => takeFrom(data) });
	return new Transform({
		transform(part: Buffer, _encoding, done) {
			received += part.length;
			const text = isTaken ? "" : decoder.write(part);
			if (isStream) events.feed(text);
			else if (whole.length <= MAX_ANSWER) whole += text;
			if (received === length) takeFrom(whole);
			done(null, part);
		},
		flush(done) {
			takeFrom(whole);
			done();
		},
	});
}

/** Usage stands at the top, or in the message or response that an event carries. */
function findUsage(json: string): UnknownRecord | undefined {
	const value = json.includes('"usage"') ? parseJson(json) : undefined;
	if (!isRecord(value)) return undefined;
	return [value, value.message, value.response]
		.map((holder) => (isRecord(holder) ? holder.usage : undefined))
		.find(isRecord);
}
