/** The findings that a text states: what the agent found, decided or left open, in its own words. */
import { findFileNames, findIdentifiers } from "./names.ts";
import { cutText } from "./quote.ts";

/** A line with one of these words says what was found or decided, or what is still to do. */
const STATING =
	/\b(?:found|findings?|turns? out|root cause|causes?d?|because|decided|decision|conclu\w+|confirmed|verified|fixed|must|note|learned|means|open|to ?do|remaining|next steps?|failed|fails)\b/i;

/** A line that names its kind of fact, as `Next: the tests`; it stays, and says nothing about its neighbours. */
const LABELLED =
	/^(?:[-*] )?(?:\*\*)?(?:next(?: steps?)?|to ?do|remaining|done|open(?: issues?)?|blocker|decision|decided|task|constraint)(?:\*\*)?:\S* [\p{L}\p{N}]/iu;

/** A heading that names the kind of the list items below it, with or without marks of Markdown. */
const HEADING =
	/^[#* ]*(next(?: steps?)?|to ?do|remaining(?: work)?|open(?: issues?)?|decisions?|blockers?|constraints?)[*:]*$/i;
/** A heading that states nothing itself. */
const TITLE = /^(?:#{1,6} [^:]+|\*\*[^*:]+)[*:]*$/;
const LIST_ITEM = /^(?:[-*]|\d+[.)]) (.*)/;

/** A sentence that begins so says what the agent is about to do. */
const ANNOUNCING =
	/^(?:(?:ok(?:ay)?|great|good|perfect|excellent|now|next|then|first|so|and|also|wait)\b[\s,.!:—-]*)*(?:let me|let us|let[’']s|I[’']ll|I will|I[’']m|I am|I need|I want|I should|we need|step \d|\w+ing\b)/i;

/** A name in code marks, or a figure that numbers no item of a list. */
const SPECIFIC = /`[^`]+`|(?<!^\W*)\d/;

/** In characters: about three lines. */
const MAX_FINDINGS = 400;

/**
 * The lines of a text that state something, from its first one on, in at most 400 characters; "" without any. Lines and lists
 * that name their kind of fact come last, a list item with its heading. Where no other line states something in our words, an
 * answer that makes no call closes its work with its first lines, and any other text tells what its sentences say of files,
 * names and figures, whatever their language.
 */
export function findingsIn(text: string, isClosing: boolean): string {
	const lines = text
		.split("\n")
		.map((line) => line.trim().replace(/\s+/g, " "))
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
	const { labelled, rest } = partLabelled(lines);
	const stating = rest.filter((line) => STATING.test(line) && !TITLE.test(line));
	const others = isClosing ? rest : rest.map(tellingPart).filter((line) => line !== "");
	const facts = cutText(labelled.map((line) => `\n${line}`).join(""), MAX_FINDINGS);
	const said = (stating.length > 0 ? stating : others).join("\n");
	return (cutText(said, MAX_FINDINGS - facts.length) + facts).replace(/^\n/, "");
}

/** The lines that name their kind of fact, list items under the heading that names it included, and all others. */
function partLabelled(lines: readonly string[]) {
	const labelled: string[] = [];
	const rest: string[] = [];
	let heading: string | undefined;
	for (const [at, line] of lines.entries()) {
		const [, item] = LIST_ITEM.exec(line) ?? [];
		if (item === undefined)
			heading = LIST_ITEM.test(lines[at + 1] ?? "") ? HEADING.exec(line)?.[1] : undefined;
		if (heading === undefined) (LABELLED.test(line) ? labelled : rest).push(line);
		else if (item !== undefined) labelled.push(`${heading}: ${item}`);
	}
	return { labelled, rest };
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
		const naming = older.findIndex((line) => !STATING.test(line) && !LABELLED.test(line));
		older.splice(Math.max(0, naming), 1);
	}
	while (newest.length > 1 && isTooLong()) newest.shift();
	return [...older, ...newest].join("\n");
}
