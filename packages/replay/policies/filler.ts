import type { CountTokens } from "#pi";

const WORDS = "what was done and what is left ";

/** Text of about so many tokens that holds nothing a later step could need. */
export function writeFiller(tokens: number, count: CountTokens): string {
	const each = count(WORDS.repeat(100)) / 100;
	return WORDS.repeat(Math.max(1, Math.round(tokens / each)));
}
