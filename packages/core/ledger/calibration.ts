/**
 * From the tokens that we count to those that a provider reports. Its tokenizer differs from ours, the size of sealed
 * thinking is only estimated, and the provider adds framing: reported = offset + factor * text + sealedFactor * sealed.
 * Both factors are learned from every request whose usage came back, and explain no more than the last one. Live sessions, the proxy and
 * the replay all run this.
 */

/** One request: what we counted and what the provider reported for it, in tokens. */
export interface CountSample {
	readonly counted: number;
	/** The part of `counted` that is an estimate of sealed thinking; 0 if absent. */
	readonly sealed?: number;
	readonly reported: number;
}

export interface Calibration {
	/** Reported tokens for one more counted token that is not sealed. */
	readonly factor: number;
	/** Reported tokens for one more token of sealed thinking, as we estimate it. */
	readonly sealedFactor: number;
	/** Reported tokens beyond what the factors explain, as of the last request. */
	readonly offset: number;
	/** The number of requests it was learned from; 0: counted tokens pass for reported ones. */
	readonly samples: number;
	/** The most that the provider recently counted above the estimate; tokens. */
	readonly shortfall: number;
	/** The last report, if it contradicts what was learned. It changes no figure unless the next report confirms it. */
	readonly doubted: CountSample | undefined;
	readonly evidence: Evidence | undefined;
}

type Factors = Pick<Calibration, "factor" | "sealedFactor">;

/** The last sample, and sums over the steps from one sample to the next, after a first step that has the first factors. */
interface Evidence {
	readonly last: CountSample;
	readonly text: number;
	readonly sealed: number;
	readonly both: number;
	readonly textReported: number;
	readonly sealedReported: number;
}

export const uncalibrated: Calibration = {
	factor: 1,
	sealedFactor: 1,
	offset: 0,
	samples: 0,
	shortfall: 0,
	doubted: undefined,
	evidence: undefined,
};

/** No tokenizer in use differs from o200k by more than this, either way. */
const MIN_RATIO = 0.4;
const MAX_RATIO = 5;
/** The most that a provider adds to a request beyond its messages, prompt and tools; in tokens. */
const MAX_UNSEEN = 20_000;
/** The first ratio holds framing too, so that a factor begins within this range; later reports move it out. */
const MAX_PRIOR = 2;
/** Factors stay within this range, so that a budget can always be converted; the offset takes the rest of a report. */
const FACTORS = { min: 0.25, max: MAX_RATIO };
/** The first factors count as much as one step of this many tokens. */
const FIRST_STEP = 500;
/** A report contradicts an estimate that is further off than this share of the larger one, before and after the first report. */
const MAX_FIRST_ERROR = 0.55;
const MAX_ERROR = 0.3;
/** An error of so many tokens contradicts nothing: images and framing are estimates. */
const MIN_ERROR = 2_000;
/** No request weighs less than this share of its count, however wrong these estimates are. */
const MIN_SHARE = 0.1;
/** How much of a shortfall is still feared one request later: half of it after some thirty. */
const DECAY = 0.98;
/** A count that is further off has changed for good, which the line learns at once: nothing to fear again. */
const MAX_SHORTFALL = 0.02;

/**
 * Learns from one request. The line goes through the last sample; its slopes are the least-squares slopes of the steps
 * between samples. A report that contradicts the line is set aside: it may be the usage of another history, or the sum
 * of several requests. The line moves there when the next report confirms it. Usage that is missing or impossible teaches nothing.
 */
export function calibrate(calibration: Calibration, sample: CountSample): Calibration {
	const { doubted, samples } = calibration;
	if (!isPossible(sample)) return calibration;
	if (!contradicts(calibration, sample)) return learn(calibration, sample);
	if (!doubted) return { ...calibration, doubted: sample };
	const moved = learn(uncalibrated, doubted, samples > 0 ? calibration : firstFactors(calibration, doubted));
	return contradicts(moved, sample) ? { ...calibration, doubted: sample } : learn(moved, sample);
}

/** Returns true if the provider's own figures say what a request of this session weighs, and do not contradict each other. */
export function isCalibrated({ samples, doubted }: Calibration): boolean {
	return samples > 0 && !doubted;
}

/**
 * Returns false for a report that is no size of this request, such as the usage of a server that leaves out what it
 * had cached, however often it comes.
 */
function isPossible({ counted, reported }: CountSample): boolean {
	const least = Math.max(MIN_SHARE * counted, MIN_RATIO * counted - MIN_ERROR);
	return counted > 0 && reported >= least && reported <= MAX_RATIO * counted + MAX_UNSEEN;
}

function contradicts(calibration: Calibration, sample: CountSample): boolean {
	const estimate = reportedTokens(calibration, sample.counted, sample.sealed);
	const share = calibration.samples > 0 ? MAX_ERROR : MAX_FIRST_ERROR;
	const error = Math.abs(sample.reported - estimate);
	return error > MIN_ERROR + share * Math.max(sample.reported, estimate);
}

function learn(
	calibration: Calibration,
	sample: CountSample,
	prior = firstFactors(calibration, sample),
): Calibration {
	const evidence = addStep(calibration.evidence, sample, prior);
	const slopes = slopesOf(evidence);
	const { counted, sealed = 0, reported } = sample;
	const parts = slopes.factor * (counted - sealed) + slopes.sealedFactor * sealed;
	// What they explain too much of the whole, they explain too much of its parts: a smaller request has as much less of it.
	const share = Math.min(1, reported / parts);
	return {
		factor: share * slopes.factor,
		sealedFactor: share * slopes.sealedFactor,
		offset: reported - share * parts,
		samples: calibration.samples + 1,
		shortfall: Math.max(DECAY * calibration.shortfall, missed(calibration, sample)),
		doubted: undefined,
		evidence,
	};
}

/** The factors that the first report suggests if sealed thinking is as large as the calibration says. */
function firstFactors({ sealedFactor }: Factors, { counted, sealed = 0, reported }: CountSample): Factors {
	const ratio = (reported - sealedFactor * sealed) / Math.max(1, counted - sealed);
	return { factor: Math.min(MAX_PRIOR, Math.max(1 / MAX_PRIOR, ratio)), sealedFactor };
}

function addStep(earlier: Evidence | undefined, sample: CountSample, prior: Factors): Evidence {
	if (!earlier) {
		const weight = FIRST_STEP * FIRST_STEP;
		const textReported = weight * prior.factor;
		const sealedReported = weight * prior.sealedFactor;
		return { last: sample, text: weight, sealed: weight, both: 0, textReported, sealedReported };
	}
	const { last } = earlier;
	const sealed = (sample.sealed ?? 0) - (last.sealed ?? 0);
	const text = sample.counted - last.counted - sealed;
	const reported = sample.reported - last.reported;
	return {
		last: sample,
		text: earlier.text + text * text,
		sealed: earlier.sealed + sealed * sealed,
		both: earlier.both + text * sealed,
		textReported: earlier.textReported + text * reported,
		sealedReported: earlier.sealedReported + sealed * reported,
	};
}

/** The slopes that explain the steps best. */
function slopesOf({ text, sealed, both, textReported, sealedReported }: Evidence): Factors {
	const determinant = text * sealed - both * both;
	return {
		factor: bounded((textReported * sealed - sealedReported * both) / determinant),
		sealedFactor: bounded((sealedReported * text - textReported * both) / determinant),
	};
}

function bounded(factor: number): number {
	return Math.min(FACTORS.max, Math.max(FACTORS.min, factor));
}

/** Tokens that an estimate fell short by; the first request could not be estimated. */
function missed(calibration: Calibration, { counted, sealed, reported }: CountSample): number {
	if (calibration.samples === 0) return 0;
	return Math.min(reported - reportedTokens(calibration, counted, sealed), MAX_SHORTFALL * reported);
}

/** The number of tokens that the provider will report for this many counted ones, `sealed` of them for sealed thinking. */
export function reportedTokens(calibration: Calibration, counted: number, sealed = 0): number {
	const { factor, sealedFactor, offset } = calibration;
	return Math.max(0, Math.round(offset + factor * (counted - sealed) + sealedFactor * sealed));
}

/** The number of tokens by which the provider's count grows with a part of this size; framing left out. */
export function reportedPart({ factor, sealedFactor }: Factors, counted: number, sealed = 0): number {
	return Math.round(factor * (counted - sealed) + sealedFactor * sealed);
}

/** The number of our tokens that equals this many of the provider's, in a request with so many tokens of sealed thinking. */
export function countedTokens(calibration: Calibration, reported: number, sealed = 0): number {
	const { factor, sealedFactor, offset } = calibration;
	return Math.max(0, Math.round(sealed + (reported - offset - sealedFactor * sealed) / factor));
}

/** The budget in counted tokens. A request within it keeps the provider's budget, even if the estimate is as far off as recently. */
export function countedBudget(calibration: Calibration, budget: number, sealed = 0): number {
	return countedTokens(calibration, budget - calibration.shortfall, sealed);
}

/** The budget that `countedBudget` was given. */
export function reportedBudget(calibration: Calibration, counted: number, sealed = 0): number {
	return Math.round(reportedTokens(calibration, counted, sealed) + calibration.shortfall);
}
