/** Figures in words for people, and the tokens of a text. */

/** Counts the tokens of a text, in whatever tokenizer the caller has. Never throws. */
export type CountTokens = (text: string) => number;

/** A number with its noun: `1 pass`, `2 passes`. The plural is the singular and an s when it is left out. */
export function countOf(amount: number, one: string, many = `${one}s`): string {
	return `${amount} ${amount === 1 ? one : many}`;
}

/** A number of tokens in at most four characters: 950, 8.4k, 80k, 1.2M. */
export function formatTokens(tokens: number): string {
	if (tokens < 999.5) return String(Math.round(tokens));
	const [amount, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
	return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`;
}

/** A share of 1 in percent, rounded: `46 %`. A share that is more than nothing is never shown as 0. */
export function percent(share: number, unit = " %"): string {
	return share > 0 && share < 0.005 ? `<1${unit}` : `${Math.round(100 * share)}${unit}`;
}
