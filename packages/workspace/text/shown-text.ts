/** Text for a model: names that cannot pose as sentences, and as many lines as fit. */
/** Each sentence in a tool's answer holds a space, so a name without one cannot pose as a sentence. */
const SAFE_NAME = /^[\p{L}\p{M}\p{N}._\-/@+~=,#%^$()[\]{}!&*?;|']+$/u;
/** Some letters and marks are invisible too. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u;
const UNSAFE_CHARACTER =
	/["\\<>]|\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/gu;

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

/** Counts the tokens of a text, with the caller's tokenizer. */
export type CountTokens = (text: string) => number;

/** Texts of fewer bytes fit into every token limit of this package, however they are counted. */
const ALWAYS_FITS = 4_000;

export interface FittingLines {
	readonly lines: readonly string[];
	/** The tokens of these lines, line ends included. */
	readonly tokens: number;
}

/** Returns the first lines, as many as fit into `maxTokens`. */
export function takeFittingLines(
	lines: readonly string[],
	maxTokens: number,
	count: CountTokens,
): FittingLines {
	let tokens = 0;
	for (const [index, line] of lines.entries()) {
		const more = count(line) + 1;
		if (tokens + more > maxTokens) return { lines: lines.slice(0, index), tokens };
		tokens += more;
	}
	return { lines, tokens };
}

/**
 * Formats a result with a tokenizer that is loaded only when the result may be too long. A token covers at least one
 * byte, so a short text needs no tokenizer, and loading one takes longer than the search.
 */
export async function formatWithin(
	format: (count: CountTokens) => string,
	loadCounter: () => Promise<CountTokens>,
): Promise<string> {
	const complete = format(() => 0);
	return Buffer.byteLength(complete) < ALWAYS_FITS ? complete : format(await loadCounter());
}

/** A number with its noun: `1 pass`, `2 passes`. The plural is the singular and an s when it is left out. */
export function countOf(amount: number, one: string, many = `${one}s`): string {
	return `${amount} ${amount === 1 ? one : many}`;
}

/** Compares by UTF-16 code unit: the same order on every machine, unlike a locale's. */
export function compareText(left: string, right: string): number {
	if (left === right) return 0;
	return left < right ? -1 : 1;
}
