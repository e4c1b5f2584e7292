/** The findings that a text states: what the agent found, decided or left open, in its own words. */
import { cutText } from "./quote.ts";

/** A line with one of these words says what was found or decided, or what is still to do. */
const STATING =
	/\b(?:found|findings?|turns? out|root cause|causes?d?|because|decided|decision|conclu\w+|confirmed|verified|fixed|must|note|learned|means|open|to ?do|remaining|next steps?|failed|fails)\b/i;

/** In characters: about three lines. */
const MAX_FINDINGS = 400;

/**
 * The lines of a text that state something, from its first one on, in at most 400 characters; "" without any. An answer
 * that makes no call closes its work: where none of its lines says so in our words, its first ones do.
 */
export function findingsIn(text: string, isClosing: boolean): string {
	const lines = text
		.split("\n")
		.map((line) => line.trim().replace(/\s+/g, " "))
		.filter((line) => /\w/.test(line));
	const stating = lines.filter((line) => STATING.test(line));
	const chosen = stating.length > 0 || !isClosing ? stating : lines;
	return cutText(chosen.join("\n"), MAX_FINDINGS);
}

/** Findings with those that came after them; the oldest lines make room for the newest. */
export function addFindings(before: string | undefined, next: string): string {
	const lines = [...(before === undefined ? [] : before.split("\n")), ...next.split("\n")];
	while (lines.length > 1 && lines.join("\n").length > MAX_FINDINGS) lines.shift();
	return lines.join("\n");
}
