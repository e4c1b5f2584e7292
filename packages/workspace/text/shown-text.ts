/** Text for a model: as many lines as fit. */
import type { CountTokens } from "#basics";

/** Texts of fewer bytes fit into every token limit of this package, however they are counted. */
const ALWAYS_FITS = 4_000;

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
