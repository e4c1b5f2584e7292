/** Counts the tokens of a text, with the caller's tokenizer. */
export type CountTokens = (text: string) => number;

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
