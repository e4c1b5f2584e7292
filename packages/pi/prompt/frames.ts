/**
 * Texts of ours in the model's context are between tags that carry the mark of the session, which the system prompt
 * names. What they tell comes from file and branch names, goals and a model's own words, none of which may end the
 * frame that it is in or begin another.
 */
import { randomInt } from "node:crypto";
import { type BranchEntry, customData } from "../custom-entries.ts";

/** The number that tells our frames from text that only looks like one: drawn once for a session, kept in its file. */
export type FrameMark = string;

const tags = ["git-status", "goal", "context-note", "changed-files", "project-memory"] as const;
export type FrameTag = (typeof tags)[number];

/** Where something begins that a model could take for a tag of ours; what is harmless already holds none. */
const TAG = new RegExp(`<(?=\\s*/?\\s*(?:${tags.join("|")}))`, "gi");

/** The text with a backslash in all that looks like a tag of ours; of a harmless text, the text itself. */
export function makeHarmless(text: string): string {
	return text.replace(TAG, "<\\");
}

/** The text between its tags, made harmless. */
export function frame(mark: FrameMark, tag: FrameTag, text: string): string {
	return `<${tag} ${mark}>\n${makeHarmless(text)}\n</${tag}>`;
}

const FRAMED = new RegExp(`^<(${tags.join("|")}) \\d{6}>\\n([^]*)\\n</\\1>$`);

/** The text that `frame` enclosed; undefined for text that it did not make. */
export function unframe(mark: FrameMark, tag: FrameTag, framed: string): string | undefined {
	const [, , text = ""] = FRAMED.exec(framed) ?? [];
	return framed === frame(mark, tag, text) ? text : undefined;
}

/** Returns true for a text that `frame` may have made in this session or another one. */
export function isFramed(text: string): boolean {
	return FRAMED.test(text);
}

/** The custom entry that carries the mark, as `mark`. */
export const MARK_ENTRY = "cwl.mark";

/** Six digits are two tokens, and a file that was written before the session began guesses one in a million. */
const DIGITS = 6;

export function drawMark(): FrameMark {
	return String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
}

/** The mark of a branch, which forks of it keep; undefined before its first frame. Never throws. */
export function readMark(branch: readonly BranchEntry[]): FrameMark | undefined {
	const marks = customData(branch, MARK_ENTRY).map(({ mark }) => mark);
	return marks.filter((mark) => typeof mark === "string").find((mark) => /^\d{6}$/.test(mark));
}
