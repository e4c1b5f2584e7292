/**
 * From the tokens that we count to those of the provider: the one way in which a size comes to a screen, an event or a report.
 */
import {
	type Calibration,
	isCalibrated,
	reportedBudget,
	reportedPart,
	reportedTokens,
	type SealedTokens,
} from "#core/ledger";
import { formatTokens } from "./figures.ts";

export type Sizes = ReturnType<typeof createSizes>;

const nothingSealed: SealedTokens = { sent: 0, unsent: 0 };

/**
 * Sizes in the tokens of the model in use, as its provider's reports have calibrated them; given in tokens that we count.
 * `sealed` is the sealed thinking of the requests whose sizes are asked for.
 */
export function createSizes(calibration: Calibration, { sent, unsent } = nothingSealed) {
	/** False until the provider has reported a request, and while its reports contradict each other: our estimate then passes for its count. */
	const isKnown = isCalibrated(calibration);
	/** A part of a request, without the framing that only a whole request has. */
	const part = (counted: number) => reportedPart(calibration, counted);
	const whole = (counted: number) => reportedTokens(calibration, counted - unsent, sent);
	return {
		...{ isKnown, part, whole },
		/** The limit of a whole request: with room for an estimate that falls as short as recently. */
		budget: (counted: number) => reportedBudget(calibration, counted - unsent, sent),
		/** The size of a part in words. */
		show: (counted: number) => showTokens(part(counted), isKnown),
		/** The size of a whole request in words. */
		showWhole: (counted: number) => showTokens(whole(counted), isKnown),
	};
}

/** A number of the provider's tokens in words: `8.4k`, or `~8.4k` while its own count is not known. */
export function showTokens(tokens: number, isKnown: boolean): string {
	return `${isKnown ? "" : "~"}${formatTokens(tokens)}`;
}
