/** The findings that a text states, in the agent's own words. No list of phrases decides: only labels, names and figures do. */
import { cutText } from "#basics";
import { formatLabelled, splitLabelled } from "./labelled-lines.ts";
import { findFileNames, findIdentifiers } from "./names.ts";

/** A name in code marks, or a figure that numbers no item of a list. */
const SPECIFIC = /`[^`]+`|(?<!^\W*)\d/;

/** The unit is characters: about three lines. */
const MAX_FINDINGS = 400;

/**
 * The beginning of an answer that makes no call (`isClosing`); of any other text the sentences that name files, identifiers or
 * figures and lead in nothing with a colon. Labelled lines follow. At most 400 characters, "" without any finding.
 */
export function findingsIn(text: string, isClosing: boolean): string {
	const { labelled, rest } = splitLabelled(text);
	const lines = rest
		.map((line) => line.trim().replace(/\s+/g, " "))
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
	const said = isClosing ? lines : lines.map(specificPart).filter((line) => line !== "");
	const facts = cutText(labelled.map((line) => `\n${formatLabelled(line)}`).join(""), MAX_FINDINGS);
	return (cutText(said.join("\n"), MAX_FINDINGS - facts.length) + facts).replace(/^\n/, "");
}

/** The sentences of a line that lead in nothing; "" if they name nothing. */
function specificPart(line: string): string {
	const sentences = line.split(/(?<=[.!?:])\s+/);
	const kept = sentences.filter((sentence) => !sentence.endsWith(":")).join(" ");
	const isSpecific = SPECIFIC.test(kept) || findFileNames(kept).size > 0 || findIdentifiers(kept).size > 0;
	return isSpecific ? kept : "";
}

/** Findings with those that came after them. The oldest lines make room for the newest, those without a label first. */
export function addFindings(before: string | undefined, next: string): string {
	const newest = next.split("\n");
	const older = (before === undefined ? [] : before.split("\n")).filter((line) => !newest.includes(line));
	const isTooLong = () => [...older, ...newest].join("\n").length > MAX_FINDINGS;
	while (older.length > 0 && isTooLong()) {
		const plain = older.findIndex((line) => splitLabelled(line).labelled.length === 0);
		older.splice(Math.max(0, plain), 1);
	}
	while (newest.length > 1 && isTooLong()) newest.shift();
	return [...older, ...newest].join("\n");
}
