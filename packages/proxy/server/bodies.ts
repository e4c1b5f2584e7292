/** Request bodies, read up to a limit and decoded; and answers that are watched while their bytes pass. */

import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { UnknownRecord } from "#basics";
import { createUsageReader } from "#wire";

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

/**
 * A stream for the bytes of an answer, which hands each part on as it is, once the usage in it was taken: an agent that
 * has its whole answer can rely on that. Undefined for an answer that cannot report any.
 */
export function watchUsage(
	{ statusCode: status, headers }: IncomingMessage,
	take: (usage: UnknownRecord) => void,
): Transform | undefined {
	if ((headers["content-encoding"] ?? "identity") !== "identity") return undefined;
	const { "content-type": type, "content-length": length } = headers;
	const reader = createUsageReader({ status, type, length }, take);
	if (!reader) return undefined;
	return new Transform({
		transform(part: Buffer, _encoding, done) {
			reader.read(part);
			done(null, part);
		},
		flush(done) {
			reader.end();
			done();
		},
	});
}
