/**
 * The lines that stand in place of a whole tool output. All of them are one line in brackets that begins with the same
 * word, so that whoever reads a request knows a placeholder from content whatever policy left it.
 */
const START = "[output ";

/** The placeholder of an output that left, with what is known of it. */
export function placeholder(about: string): string {
	return `${START}${about}]`;
}

/** Returns true for a text that is nothing but a placeholder. */
export function isPlaceholder(text: string): boolean {
	return text.startsWith(START) && text.endsWith("]") && !text.includes("\n");
}
