/** Tokens of a text, by the counter of whoever asks. */
export type CountTokens = (text: string) => number;

export interface Fitting {
	readonly lines: readonly string[];
	/** What they take, with their line ends. */
	readonly tokens: number;
}

/** The first lines, as many as fit into `room` tokens. */
export function takeFitting(lines: readonly string[], room: number, count: CountTokens): Fitting {
	let tokens = 0;
	for (const [index, line] of lines.entries()) {
		const more = count(line) + 1;
		if (tokens + more > room) return { lines: lines.slice(0, index), tokens };
		tokens += more;
	}
	return { lines, tokens };
}
