/** Colours of a terminal for the tones of our screens. */
import type { Tone } from "#pi";

/** Select graphic rendition (ECMA-48), and the 256 colours of xterm for orange and violet, which the eight have not: on and off. */
const codes: Readonly<Record<Tone, readonly [on: string, off: string] | undefined>> = {
	plain: undefined,
	dim: ["2", "22"],
	strong: ["1", "22"],
	green: ["32", "39"],
	yellow: ["33", "39"],
	orange: ["38;5;208", "39"],
	red: ["31", "39"],
	blue: ["34", "39"],
	cyan: ["36", "39"],
	magenta: ["35", "39"],
	violet: ["38;5;141", "39"],
};

/** Only a terminal has colours; whoever drives pi over a pipe gets the words. */
export function paint(tone: Tone, text: string): string {
	const code = codes[tone];
	if (!code || !process.stdout.isTTY || process.env.NO_COLOR) return text;
	return `\u001b[${code[0]}m${text}\u001b[${code[1]}m`;
}
