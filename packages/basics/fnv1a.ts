/**
 * FNV-1a in 32 bits over UTF-16 code units: a fast hash for names and fingerprints, not for secrets
 * (http://www.isthe.com/chongo/tech/comp/fnv/).
 */

/** The hash of no values. */
export const FNV1A_START = 0x811c9dc5;

/** Adds one value to a hash; returns a signed 32-bit integer. */
export function fnv1aStep(hash: number, value: number): number {
	return Math.imul(hash ^ value, 0x01000193);
}

/** The hash of a text, an unsigned 32-bit integer. */
export function fnv1a(text: string): number {
	let hash = FNV1A_START;
	for (let i = 0; i < text.length; i++) hash = fnv1aStep(hash, text.charCodeAt(i));
	return hash >>> 0;
}
