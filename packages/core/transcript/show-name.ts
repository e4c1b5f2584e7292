/** Names of files and branches in text for a model. */

/** Each sentence in a tool's answer holds a space, so a name without one cannot pose as a sentence. */
const SAFE_NAME = /^[\p{L}\p{M}\p{N}._\-/@+~=,#%^$()[\]{}!&*?;|']+$/u;
/** Some letters and marks are invisible too. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u;
const UNSAFE_CHARACTER =
	/["\\<>\u2800]|\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/gu;

/**
 * Returns a file or branch name in the form that text for a model may hold. A name of plain characters stays as it is.
 * Any other is quoted like JSON, with control, invisible and tag characters escaped, and `\xNN` for bytes that are
 * not UTF-8.
 */
export function showName(name: string): string {
	if (SAFE_NAME.test(name) && !HIDDEN.test(name)) return name;
	return `"${name.replace(UNSAFE_CHARACTER, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
	if (character === "\n") return "\\n";
	if (character === "\t") return "\\t";
	if (character === '"' || character === "\\") return `\\${character}`;
	const point = character.codePointAt(0) ?? 0;
	if (point >= 0xdc80 && point <= 0xdcff) return `\\x${(point - 0xdc00).toString(16)}`;
	return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, "0")}`;
}
