/**
 * The lengths of the instructions, as in Terminal-Bench 2: its 89 instructions have 33 to 1,153 tokens, 165 in the
 * median. Between these three a log-normal distribution is assumed.
 */
import type { Random } from "#loopback";

const SHORTEST = 33;
const MEDIAN = 165;
const LONGEST = 1_153;
/** Places the longest of 89 where a normal distribution expects it, 2.5 standard deviations out. */
const SIGMA = Math.log(LONGEST / MEDIAN) / 2.53;

/** Lengths for `count` instructions, in tokens, in random order. */
export function drawLengths(random: Random, count: number): readonly number[] {
	const lengths = Array.from({ length: count }, (_, rank) => {
		const tokens = MEDIAN * Math.exp(SIGMA * normalQuantile((rank + 0.5) / count));
		return Math.round(Math.min(LONGEST, Math.max(SHORTEST, tokens)));
	});
	return random.shuffle(lengths);
}

/** The value below which a share of a normal distribution lies (Abramowitz and Stegun 26.2.23, off by at most .00045). */
function normalQuantile(share: number): number {
	if (share > 0.5) return -normalQuantile(1 - share);
	const t = Math.sqrt(-2 * Math.log(share));
	const numerator = 2.515517 + t * (0.802853 + t * 0.010328);
	const denominator = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
	return numerator / denominator - t;
}
