/**
 * The one place that makes texts of others fit to be shown or sent: names, paths and descriptions stand in quotes on one
 * line, so that none can end the line or pose as another.
 */

/** The longest name that a new episode may have, and what is shown of longer ones; in characters. */
export const MAX_NAME_LENGTH = 80;

/**
 * Characters that are not shown as themselves: controls, line ends, what hides or turns other text, halves of pairs, odd
 * spaces, the empty braille cell, and marks that pile up on one letter.
 */
const ODD =
	/\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|\u2800|(?<=\p{M}{4})\p{M}/u;
const ALL_ODD = new RegExp(ODD, "gu");
/** Later versions of Unicode may show them, so that no line that is sent again depends on them. */
const UNASSIGNED = /\p{Cn}/u;
/** Spaces stand for the end of a word, so a name with one is quoted. */
const BARE = /^[\p{L}\p{M}\p{N}._\-/@+~#:]+$/u;

/** Returns true if a text has a character that is not shown as itself: control, bidirectional, invisible, unassigned. */
export function hasOddCharacter(text: string): boolean {
	return ODD.test(text) || UNASSIGNED.test(text);
}

/** JSON on one line of printable characters; it still parses to what it was. */
export function printable(json: string): string {
	return json.replace(ALL_ODD, (char) => char.split("").map(escapeUnit).join(""));
}

function escapeUnit(unit: string): string {
	return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A text in double quotes, on one line of printable characters; as JSON it parses to what it was. */
export function quote(text: string): string {
	return printable(JSON.stringify(text));
}

/** The beginning of a text in double quotes; of one with more than `most` characters, three dots follow the quotes. */
export function quoteStart(text: string, most: number): string {
	return text.length <= most ? quote(text) : `${quote(cutText(text, most))}...`;
}

/** At most so many UTF-16 units from the beginning of a text; no surrogate pair is parted. */
export function cutText(text: string, most: number): string {
	const start = text.slice(0, Math.max(0, most));
	return start.length < text.length ? start.replace(/[\ud800-\udbff]$/, "") : start;
}

/** A name for a person to read and to type: as it is where it is short and plain, else its beginning in quotes. */
export function nameText(name: string): string {
	const isBare = name.length <= MAX_NAME_LENGTH && BARE.test(name) && !hasOddCharacter(name);
	return isBare ? name : quoteStart(name, MAX_NAME_LENGTH);
}

/** The name that a person or a model has copied from a line that we quoted, without its quotes. */
export function unquote(text: string): string {
	const trimmed = text.trim();
	const quoted = /^".*"(?=(\.\.\.)?$)/s.exec(trimmed)?.[0];
	if (quoted === undefined) return trimmed;
	try {
		return String(JSON.parse(quoted));
	} catch {
		return quoted.slice(1, -1);
	}
}

/** Text of several lines with plain spaces, and with a sign in place of each character that would move the cursor, hide or turn the text. */
export function visibleText(text: string): string {
	return text.replace(ALL_ODD, (char) => {
		if (char === "\n" || char === "\t") return char;
		return /\p{Zs}/u.test(char) ? " " : "\ufffd";
	});
}

/** Each sentence in a tool's answer holds a space, so a name without one cannot pose as a sentence. */
const SAFE_NAME = /^[\p{L}\p{M}\p{N}._\-/@+~=,#%^$()[\]{}!&*?;|']+$/u;

/**
 * Returns a file or branch name in the form that text for a model may hold. A name of plain characters stays as it is.
 * Any other is quoted, with angle brackets escaped too: none can pose as a tag.
 */
export function showName(name: string): string {
	return SAFE_NAME.test(name) && !ODD.test(name) ? name : quote(name).replace(/[<>]/g, escapeUnit);
}
