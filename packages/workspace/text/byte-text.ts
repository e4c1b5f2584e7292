import { isUtf8 } from "node:buffer";

/** A byte that is not UTF-8 becomes the lone surrogate U+DC00 + byte, as in Python's PEP 383. */
const ESCAPE_BASE = 0xdc00;

/** Decodes any bytes without loss: file names and contents need not be UTF-8. encodeText is the inverse. */
export function decodeBytes(bytes: Uint8Array): string {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isUtf8(buffer)) return buffer.toString("utf8");
	const parts: string[] = [];
	let valid = 0;
	for (let at = 0; at < buffer.length; ) {
		const width = sequenceWidth(buffer, at);
		if (width > 0) {
			at += width;
			continue;
		}
		parts.push(buffer.toString("utf8", valid, at), String.fromCharCode(ESCAPE_BASE + (buffer[at] ?? 0)));
		at += 1;
		valid = at;
	}
	parts.push(buffer.toString("utf8", valid));
	return parts.join("");
}

/** The bytes that decodeBytes has read. */
export function encodeText(text: string): Buffer {
	if (isWellFormedText(text)) return Buffer.from(text, "utf8");
	const parts: Buffer[] = [];
	let start = 0;
	for (let at = 0; at < text.length; at += 1) {
		const byte = escapedByte(text, at);
		if (byte === undefined) continue;
		parts.push(Buffer.from(text.slice(start, at), "utf8"), Buffer.from([byte]));
		start = at + 1;
	}
	parts.push(Buffer.from(text.slice(start), "utf8"));
	return Buffer.concat(parts);
}

/** False when the text holds escaped bytes, which Node cannot put on a command line. */
export function isWellFormedText(text: string): boolean {
	return !/\p{Cs}/u.test(text);
}

function escapedByte(text: string, at: number): number | undefined {
	const unit = text.charCodeAt(at);
	if (unit < ESCAPE_BASE + 0x80 || unit > ESCAPE_BASE + 0xff) return undefined;
	const before = at > 0 ? text.charCodeAt(at - 1) : 0;
	return before >= 0xd800 && before <= 0xdbff ? undefined : unit - ESCAPE_BASE;
}

/** The length in bytes of the valid UTF-8 sequence at this place, or 0 (RFC 3629, table 3-7 of Unicode). */
function sequenceWidth(buffer: Buffer, at: number): number {
	const lead = buffer[at] ?? 0;
	if (lead < 0x80) return 1;
	const width = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	if (lead < 0xc2 || lead > 0xf4 || at + width > buffer.length) return 0;
	return isUtf8(buffer.subarray(at, at + width)) ? width : 0;
}
