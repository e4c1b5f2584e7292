/**
 * The size of thinking that only its provider can read: the signature of Claude's thinking, and the encrypted content of
 * OpenAI's reasoning. Its tokens cannot be counted before the provider does, so they are estimated from its length.
 */

/**
 * Tokens for each character of a signature, or of the data of redacted thinking. Measured over 5,400 requests of Claude
 * from July 2026 on: .28 to .32.
 */
const SIGNATURE_TOKENS_PER_CHARACTER = 0.3;

/**
 * OpenAI's encrypted reasoning: an envelope of some 900 characters, then about 7 characters for each reasoning token
 * that the usage reports (167 answers of one session, July 2026).
 */
const ENCRYPTED_ENVELOPE = 900;
const ENCRYPTED_TOKENS_PER_CHARACTER = 1 / 7;

/** `signature` is that of Claude's thinking or redacted thinking, `encrypted` the encrypted content of OpenAI's reasoning. */
type SealKind = "signature" | "encrypted";

/** Estimates the tokens of sealed thinking from its length in characters. */
function sealedTokens(kind: SealKind, characters: number): number {
	if (kind === "signature") return Math.ceil(SIGNATURE_TOKENS_PER_CHARACTER * characters);
	return Math.ceil(ENCRYPTED_TOKENS_PER_CHARACTER * Math.max(0, characters - ENCRYPTED_ENVELOPE));
}

/**
 * The size of one piece of thinking, framing not counted. A text that comes with a seal is a summary of what the seal
 * holds, so that the larger of the two is what the provider counts.
 */
export function thinkingSize(
	textTokens: number,
	seal: { readonly kind: SealKind; readonly characters: number } | undefined,
): { readonly tokens: number; readonly sealed?: number } {
	const sealed = seal ? sealedTokens(seal.kind, seal.characters) : 0;
	return sealed > textTokens ? { tokens: sealed, sealed } : { tokens: textTokens };
}
