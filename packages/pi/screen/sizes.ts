/**
 * From the tokens that we count to those of the provider: the one way in which a size comes to a screen, an event or a report.
 */
import { type Calibration, reportedBudget, reportedTokens } from "#core/ledger";
import { formatTokens } from "./figures.ts";

export type Sizes = ReturnType<typeof createSizes>;

/** Sizes in the tokens of the model in use, as its provider's reports have calibrated them; given in tokens that we count. */
export function createSizes(calibration: Calibration) {
	/** False until the provider has reported a request: our own count then passes for its count. */
	const isKnown = calibration.samples > 0;
	/** A part of a request, without the framing that only a whole request has. */
	const part = (counted: number) => Math.round(calibration.factor * counted);
	const whole = (counted: number) => reportedTokens(calibration, counted);
	return {
		...{ isKnown, part, whole },
		/** The limit of a whole request: with room for an estimate that falls as short as recently. */
		budget: (counted: number) => reportedBudget(calibration, counted),
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
