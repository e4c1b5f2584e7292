/**
 * From the tokens that we count to those of the provider: the one way in which a size comes to a screen, an event or a report.
 */
import { formatTokens } from "#basics";
import type { Episode } from "#core/graph";
import {
	type Calibration,
	isCalibrated,
	leftOf,
	reportedBudget,
	reportedPart,
	reportedTokens,
	type SealedTokens,
	sealedIn,
} from "#core/ledger";
import type { Decision, Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import type { Item, ItemId } from "#core/transcript";

export type Sizes = ReturnType<typeof createSizes>;

const nothingSealed: SealedTokens = { sent: 0, unsent: 0 };

/** A limit that was counted is this near to the limit that was set, as a share: prices, prompt and limit were rounded one by one. */
const MAX_LIMIT_ERROR = 0.005;

/**
 * Sizes in the tokens of the model in use, as its provider's reports have calibrated them; given in tokens that we count.
 * `sealed` is the sealed thinking of the requests whose sizes are asked for; `limit` is the largest request that the settings
 * allow, in the provider's tokens.
 */
export function createSizes(calibration: Calibration, sealed = nothingSealed, limit = 0) {
	const { sent, unsent } = sealed;
	/**
	 * False until the provider has reported a request, and while its reports contradict each other: our estimate then passes for its count.
	 * Thinking of another model, which is not sent, is a part of what a pass takes.
	 */
	const isKnown = isCalibrated(calibration) && unsent === 0;
	/** A part of a request, with the sealed thinking in it, without the framing that only a whole request has. */
	const part = (counted: number, { sent, unsent } = nothingSealed) =>
		reportedPart(calibration, counted - unsent, sent);
	const whole = (counted: number) => reportedTokens(calibration, counted - unsent, sent);
	return {
		isKnown,
		/** The sealed thinking of these requests, in the tokens that we count. */
		sealed,
		/** The tokens of text that count as much as one of sealed thinking. */
		sealedWeight: calibration.sealedFactor / calibration.factor,
		part,
		whole,
		/** The limit of a whole request: with room for an estimate that falls as short as recently. The limit that was set is itself. */
		budget(counted: number) {
			const reported = reportedBudget(calibration, counted - unsent, sent);
			return Math.abs(reported - limit) <= MAX_LIMIT_ERROR * limit ? limit : reported;
		},
		/** The size of a part in words. */
		show: (counted: number) => showTokens(part(counted), isKnown),
		/** A size in the provider's tokens in words. */
		showReported: (tokens: number) => showTokens(tokens, isKnown),
		/** The size of a whole request in words. */
		showWhole: (counted: number) => showTokens(whole(counted), isKnown),
	};
}

/** An episode in the provider's tokens: all of it, and what the next request sends of it, its line not counted. */
export function episodeSizes(
	episode: Episode,
	{ view, model }: Pick<PlanInput, "view" | "model">,
	{ part }: Pick<Sizes, "part">,
) {
	const { items, tokens } = episode;
	const isGone = ({ id }: Item) => view.removed.has(id);
	const counted = leftOf(episode, view);
	const rest = items.filter((item) => !isGone(item));
	const left = part(counted, sealedIn(rest, model));
	// What has left had been sent, whichever model is in use by now.
	return { whole: left + part(tokens - counted, sealedIn(items.filter(isGone))), left };
}

/**
 * The sizes of a pass in the provider's tokens: those that the log kept of its time, else as they are estimated now. `sealedOf`
 * answers the sealed thinking among the items that it took.
 */
export function passSizes(
	pass: Pass,
	sizes: Sizes,
	sealedOf: (items: readonly ItemId[], model?: string) => SealedTokens = () => nothingSealed,
) {
	const { before, after, budget, reported, strips, isEstimated = false } = pass;
	const { sealedWeight = sizes.sealedWeight } = pass;
	const all = sealedOf(
		strips.flatMap(({ items }) => items),
		pass.model,
	);
	const whole = sizes.whole(before);
	const then = reported ?? {
		budget: sizes.budget(budget),
		before: whole,
		after: whole - sizes.part(before - after, all),
	};
	/** In tokens of text that the provider counts alike. */
	const weigh = (counted: number, { sent, unsent }: SealedTokens) =>
		counted - unsent - sent + sealedWeight * sent;
	const weight = weigh(before - after, all);
	const factor = weight > 0 ? (then.before - then.after) / weight : 1;
	return {
		reported: then,
		isKnown: reported ? !isEstimated : sizes.isKnown,
		/** A part of what it took, with the sealed thinking in it. */
		part: (counted: number, sealed = nothingSealed) => Math.round(factor * weigh(counted, sealed)),
	};
}

/** The tokens that a pass freed, in words. */
export function freedText(pass: Pass, sizes: Sizes): string {
	const { reported, isKnown } = passSizes(pass, sizes);
	return showTokens(reported.before - reported.after, isKnown);
}

/** The figures of a decision in the provider's tokens. */
export function reportDecision(decision: Decision, part: (counted: number) => number): Decision {
	const { freed, rewritten, growth } = decision;
	return { ...decision, freed: part(freed), rewritten: part(rewritten), growth: part(growth) };
}

/** The figures of a decision that no later report replaces. What a pass wrote again is known from its request, and when it has paid for that is not known for one pass. */
export function lastingFigures({ rewritten: _, paidBackAfter: __, ...figures }: Decision) {
	return figures;
}

/** A number of the provider's tokens in words: `8.4k`, or `~8.4k` while its own count is not known. */
export function showTokens(tokens: number, isKnown: boolean): string {
	return `${isKnown ? "" : "~"}${formatTokens(tokens)}`;
}
