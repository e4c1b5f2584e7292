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
	/** The most that the provider recently counted above the estimate; tokens. */
	readonly shortfall: number;
	readonly evidence: Evidence | undefined;
}

/** The ratio to begin with, the last sample, and sums over the steps from one sample to the next. */
interface Evidence {
	readonly firstRatio: number;
	readonly last: CountSample;
	readonly products: number;
	readonly squares: number;
}

export const uncalibrated: Calibration = {
	factor: 1,
	offset: 0,
	samples: 0,
	shortfall: 0,
	evidence: undefined,
};

/** A report that differs from our count by more than this, either way, is no report of this request. */
const MAX_RATIO = 3;
/** No tokenizer in use is further from o200k than this, either way. */
const MAX_FACTOR = 2;
/** The first ratio counts as much as one step of this many tokens. */
const FIRST_STEP = 1_000;
/** How much of a shortfall is still feared one request later: half of it after some thirty. */
const FADING = 0.98;
/** A count that is further off has changed for good, which the line learns at once: nothing to fear again. */
const MAX_SHORTFALL = 0.02;

/**
 * Learn from one request. The line goes through the last sample; its slope is the least-squares slope of the steps
 * between samples, begun with the first ratio. Usage that is missing, zero or absurd teaches nothing.
 */
export function calibrate(calibration: Calibration, sample: CountSample): Calibration {
	const ratio = sample.reported / sample.counted;
	if (!(ratio >= 1 / MAX_RATIO && ratio <= MAX_RATIO)) return calibration;
	const evidence = addEvidence(calibration.evidence, sample, ratio);
	const weight = FIRST_STEP * FIRST_STEP;
	const slope = (evidence.products + weight * evidence.firstRatio) / (evidence.squares + weight);
	const factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, slope));
	const offset = sample.reported - factor * sample.counted;
	const shortfall = Math.max(FADING * calibration.shortfall, missed(calibration, sample));
	return { factor, offset, samples: calibration.samples + 1, shortfall, evidence };
}

/** Tokens that an estimate fell short by; the first request could not be estimated. */
function missed(calibration: Calibration, { counted, reported }: CountSample): number {
	if (calibration.samples === 0) return 0;
	return Math.min(reported - reportedTokens(calibration, counted), MAX_SHORTFALL * reported);
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

/** The number of tokens that the provider will report for this many counted ones. */
export function reportedTokens({ factor, offset }: Calibration, counted: number): number {
	return Math.max(0, Math.round(offset + factor * counted));
}

/** The number of our tokens that equals this many of the provider's. */
export function countedTokens({ factor, offset }: Calibration, reported: number): number {
	return Math.max(0, Math.round((reported - offset) / factor));
}

/** The budget in counted tokens. A request within it keeps the provider's budget, even if the estimate is as far off as recently. */
export function countedBudget(calibration: Calibration, budget: number): number {
	return countedTokens(calibration, budget - calibration.shortfall);
}

/** The budget that `countedBudget` was given. */
export function reportedBudget(calibration: Calibration, counted: number): number {
	return Math.round(reportedTokens(calibration, counted) + calibration.shortfall);
}
