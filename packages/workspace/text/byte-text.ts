import { isUtf8 } from "node:buffer";

/** A byte that is not UTF-8 becomes the lone surrogate U+DC00 + byte, as in Python's PEP 383. */
const ESCAPE_BASE = 0xdc00;
/** Bytes, one a character, that may be a sequence of UTF-8 (RFC 3629, table 3-7 of Unicode), or a single one. */
const SEQUENCE = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}|[\x80-\xFF]/g;
/** With the flag `u` a half of a pair is none of these. */
const ESCAPED = /([\uDC80-\uDCFF])/u;

/** Decodes any bytes without loss: file names and contents need not be UTF-8. encodeText is the inverse. */
export function decodeBytes(bytes: Uint8Array): string {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (isUtf8(buffer)) return buffer.toString("utf8");
	return buffer.toString("latin1").replace(SEQUENCE, (characters) => {
		const sequence = Buffer.from(characters, "latin1");
		if (isUtf8(sequence)) return sequence.toString("utf8");
		return String.fromCharCode(...[...sequence].map((byte) => ESCAPE_BASE + byte));
	});
}

/** The bytes that decodeBytes has read. */
export function encodeText(text: string): Buffer {
	if (isWellFormedText(text)) return Buffer.from(text, "utf8");
	const parts = text.split(ESCAPED);
	return Buffer.concat(
		parts.map((part, at) => Buffer.from(at % 2 === 0 ? part : [part.charCodeAt(0) - ESCAPE_BASE])),
	);
}

/** False when the text holds escaped bytes, which Node cannot put on a command line. */
export function isWellFormedText(text: string): boolean {
	return !/\p{Cs}/u.test(text);
}
