/**
 * From the tokens that we count to those that a provider reports. Its tokenizer may differ from ours by a third, and it
 * adds framing of its own: reported = offset + factor * counted, learnt from every request whose usage came back.
 */

/** One request: what we counted and what the provider reported for it, in tokens. */
export interface CountSample {
	readonly counted: number;
	readonly reported: number;
}

export interface Calibration {
	/** Reported tokens for one more counted token. */
	readonly factor: number;
	/** Reported tokens beyond `factor * counted`, as of the last request; may be negative. */
	readonly offset: number;
	/** How many requests it was learnt from; 0: counted tokens pass for reported ones. */
	readonly samples: number;
	readonly evidence: Evidence | undefined;
}

/** The ratio to begin with, the last sample, and sums over the steps from one sample to the next. */
interface Evidence {
	readonly firstRatio: number;
	readonly last: CountSample;
	readonly products: number;
	readonly squares: number;
}

export const uncalibrated: Calibration = { factor: 1, offset: 0, samples: 0, evidence: undefined };

/** A report that differs from our count by more than this, either way, is no report of this request. */
const LARGEST_RATIO = 3;
/** No tokenizer in use is further from o200k than this, either way. */
const LARGEST_FACTOR = 2;
/** The first ratio counts as much as one step of this many tokens. */
const FIRST_STEP = 1_000;

/**
 * Learn from one request. The line goes through the last sample; its slope is the least-squares slope of the steps
 * between samples, begun with the first ratio. Usage that is missing, zero or absurd teaches nothing.
 */
export function calibrate(calibration: Calibration, sample: CountSample): Calibration {
	const ratio = sample.reported / sample.counted;
	if (!(ratio >= 1 / LARGEST_RATIO && ratio <= LARGEST_RATIO)) return calibration;
	const evidence = addEvidence(calibration.evidence, sample, ratio);
	const weight = FIRST_STEP * FIRST_STEP;
	const slope = (evidence.products + weight * evidence.firstRatio) / (evidence.squares + weight);
	const factor = Math.min(LARGEST_FACTOR, Math.max(1 / LARGEST_FACTOR, slope));
	const offset = sample.reported - factor * sample.counted;
	return { factor, offset, samples: calibration.samples + 1, evidence };
}

function addEvidence(earlier: Evidence | undefined, sample: CountSample, ratio: number): Evidence {
	if (!earlier) return { firstRatio: ratio, last: sample, products: 0, squares: 0 };
	const counted = sample.counted - earlier.last.counted;
	const reported = sample.reported - earlier.last.reported;
	return {
		firstRatio: earlier.firstRatio,
		last: sample,
		products: earlier.products + counted * reported,
		squares: earlier.squares + counted * counted,
	};
}

/** What the provider will report for this many counted tokens. */
export function reportedTokens({ factor, offset }: Calibration, counted: number): number {
	return Math.max(0, Math.round(offset + factor * counted));
}

/** How many tokens of ours come to this many of the provider's: a budget is in its tokens, a plan in ours. */
export function countedTokens({ factor, offset }: Calibration, reported: number): number {
	return Math.max(0, Math.round((reported - offset) / factor));
}
