/** Text for a model: as many lines as fit, and counts with their nouns. */
/** Counts the tokens of a text, with the caller's tokenizer. */
export type CountTokens = (text: string) => number;

/** Returns the first lines, as many as fit into `maxTokens`, and their tokens, line ends included. */
export function takeFittingLines(lines: readonly string[], maxTokens: number, count: CountTokens) {
	let tokens = 0;
	for (const [index, line] of lines.entries()) {
		const more = count(line) + 1;
		if (tokens + more > maxTokens) return { lines: lines.slice(0, index), tokens };
		tokens += more;
	}
	return { lines, tokens };
}

/** A number with its noun: `1 pass`, `2 passes`. The plural is the singular and an s when it is left out. */
export function countOf(amount: number, one: string, many = `${one}s`): string {
	return `${amount} ${amount === 1 ? one : many}`;
}
