/** The findings that a text states: what the agent found, decided or left open, in its own words. */
import { findFileNames, findIdentifiers } from "./names.ts";
import { cutText } from "./quote.ts";

/** A line with one of these words, or that begins with one of the last, says what was found or decided, or what is still to do. */
const STATING =
	/\b(?:found|findings?|turns? out|root cause|causes?d?|because|decided|decision|conclu\w+|confirmed|verified|fixed|must|note|learned|means|open|to ?do|remaining|next steps?|failed|fails)\b|^(?:[-*] )?(?:\*\*)?(?:next|done|blocker|task|constraint)(?:\*\*)?:\S* \w/i;

/** A sentence that begins so says what the agent is about to do. */
const ANNOUNCING =
	/^(?:(?:ok(?:ay)?|great|good|perfect|excellent|now|next|then|first|so|and|also|wait)\b[\s,.!:—-]*)*(?:let me|let us|let[’']s|I[’']ll|I will|I[’']m|I am|I need|I want|I should|we need|step \d|\w+ing\b)/i;

/** A name in code marks, or a figure that numbers no item of a list. */
const SPECIFIC = /`[^`]+`|(?<!^\W*)\d/;

/** In characters: about three lines. */
const MAX_FINDINGS = 400;

/**
 * The lines of a text that state something, from its first one on, in at most 400 characters; "" without any. Where no line
 * says so in our words, an answer that makes no call closes its work with its first lines, and any other text tells what its
 * sentences say of files, names and figures, whatever their language.
 */
export function findingsIn(text: string, isClosing: boolean): string {
	const lines = text
		.split("\n")
		.map((line) => line.trim().replace(/\s+/g, " "))
		.filter((line) => /\w/.test(line));
	const stating = lines.filter((line) => STATING.test(line));
	const others = isClosing ? lines : lines.map(tellingPart).filter((line) => line !== "");
	return cutText((stating.length > 0 ? stating : others).join("\n"), MAX_FINDINGS);
}

/** A line without its announcements; "" if what is left names nothing. */
function tellingPart(line: string): string {
	const sentences = line.split(/(?<=[.!?:])\s+/);
	const told = sentences.filter((part) => !ANNOUNCING.test(part) && !part.endsWith(":")).join(" ");
	const isSpecific = SPECIFIC.test(told) || findFileNames(told).size > 0 || findIdentifiers(told).size > 0;
	return isSpecific ? told : "";
}

/** Findings with those that came after them. The oldest lines make room for the newest, first those that only name something. */
export function addFindings(before: string | undefined, next: string): string {
	const newest = next.split("\n");
	const older = (before === undefined ? [] : before.split("\n")).filter((line) => !newest.includes(line));
	const isTooLong = () => [...older, ...newest].join("\n").length > MAX_FINDINGS;
	while (older.length > 0 && isTooLong()) {
		const naming = older.findIndex((line) => !STATING.test(line));
		older.splice(Math.max(0, naming), 1);
	}
	while (newest.length > 1 && isTooLong()) newest.shift();
	return [...older, ...newest].join("\n");
}
