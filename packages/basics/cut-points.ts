/** Places where a text can be cut without splitting a line or a character. */

/** The last end of a line in the second half of so many characters, else the last place that parts no character. */
export function lineEndBefore(text: string, most: number): number {
	const end = text.lastIndexOf("\n", most - 1) + 1;
	return end > most / 2 ? end : characterBefore(text, most);
}

/** The first start of a line in the first half of what follows a place, else the first place that parts no character. */
export function lineStartAfter(text: string, least: number): number {
	const start = text.indexOf("\n", least) + 1;
	return start > 0 && start < (least + text.length) / 2 ? start : characterAfter(text, least);
}

/** The start of the line that a place is on. */
export function lineStart(text: string, at: number): number {
	return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns true if a cut here would split a surrogate pair. */
const isSecondHalf = (text: string, index: number) => /[\udc00-\udfff]/.test(text.charAt(index));

/** The place, or the one before it that splits no character. */
export function characterBefore(text: string, index: number): number {
	return index > 0 && isSecondHalf(text, index) ? index - 1 : index;
}

/** The place, or the one after it that splits no character. */
function characterAfter(text: string, index: number): number {
	return isSecondHalf(text, index) ? index + 1 : index;
}
