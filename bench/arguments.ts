/** Parses the arguments of all benches. */
import { CwlError } from "#pi";

/**
 * Read a whole number from `least` up.
 * @throws CwlError `bad-flag` naming the flag, what was found and what is allowed
 */
export function readCount(flag: string, text: string, least = 1): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= least) return value;
	throw new CwlError(
		"bad-flag",
		`--${flag} is ${JSON.stringify(text)}: use a whole number of at least ${least}.`,
	);
}
