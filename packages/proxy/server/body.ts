/** Request bodies: read up to a limit, and decoded. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";

/** Larger bodies pass unread; in bytes. */
const MAX_BODY = 64 * 1024 * 1024;

export type ReadBody =
	| { readonly type: "whole"; readonly bytes: Buffer }
	/** The beginning; the rest is still to come from the request. */
	| { readonly type: "too large"; readonly begun: Buffer };

/** Reads a body that is to be understood before it is sent on. Rejects when the sender breaks off. */
export function readBody(request: IncomingMessage, limit = MAX_BODY): Promise<ReadBody> {
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let size = 0;
		const stop = () => {
			request.off("data", onData).off("end", onEnd).off("error", reject);
		};
		const onData = (chunk: Buffer) => {
			chunks.push(chunk);
			size += chunk.length;
			if (size <= limit) return;
			request.pause();
			stop();
			resolve({ type: "too large", begun: Buffer.concat(chunks, size) });
		};
		const onEnd = () => {
			stop();
			resolve({ type: "whole", bytes: Buffer.concat(chunks, size) });
		};
		request.on("data", onData).on("end", onEnd).on("error", reject);
	});
}

/** Keeps a copy of a body while it is sent on. Returns the body once it is whole; undefined above the limit. */
export function copyBody(request: IncomingMessage, limit = MAX_BODY): () => Buffer | undefined {
	let chunks: Buffer[] | undefined = [];
	let size = 0;
	request.on("data", (chunk: Buffer) => {
		size += chunk.length;
		if (size > limit) chunks = undefined;
		chunks?.push(chunk);
	});
	return () => (chunks && request.complete ? Buffer.concat(chunks, size) : undefined);
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const limits = { maxOutputLength: MAX_BODY };

/** Newer versions of Node only. */
const { zstdDecompress } = zlib as { zstdDecompress?: typeof zlib.gunzip };

/** They work on threads of their own, so that other requests go on meanwhile. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
	["gzip", promisify(zlib.gunzip)],
	["deflate", promisify(zlib.inflate)],
	["br", promisify(zlib.brotliDecompress)],
	...(zstdDecompress ? [["zstd", promisify(zstdDecompress)] satisfies [string, Decode]] : []),
]);

/** The body without its compression; undefined if that is unknown, damaged, or hides more than the limit. */
export async function decodeBody(bytes: Buffer, encoding: string | undefined): Promise<Buffer | undefined> {
	const name = encoding?.trim().toLowerCase() || "identity";
	if (name === "identity") return bytes;
	try {
		return await decoders.get(name)?.(bytes, limits);
	} catch {
		return undefined;
	}
}
