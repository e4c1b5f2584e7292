/** From the tokens that we count to those that a provider reports for the requests of a conversation. */
import type { UnknownRecord } from "#core";
import { type Calibration, calibrate, reportedTokens, uncalibrated } from "#core/ledger";
import type { ConversationStore } from "../pass-store.ts";
import type { RequestOptions, WireFormat } from "../wire/wire-format.ts";

/** A request as a place in its conversation. */
export interface CountedRequest {
	/** The beginning of its conversation, as the store names it. */
	readonly root: string;
	/** The names of the conversation up to each of its messages. */
	readonly names: readonly string[];
	readonly options: RequestOptions;
}

/**
 * The calibration that earlier requests of this conversation have given for the request's model. The same request
 * again learns nothing from its own answer, so that it stays the same.
 */
export function calibrationFor(
	store: ConversationStore,
	{ root, names, options }: CountedRequest,
): Calibration {
	const model = modelOf(options);
	return store
		.countsAlong(root, names.slice(0, -1))
		.reduce((known, { count }) => (count.model === model ? calibrate(known, count) : known), uncalibrated);
}

/** A count that is closer than this to what was expected need not be stored. */
const TOLERANCE = 0.001;

/** Stores what the provider counted a request as, if that teaches something. `counted` is our own count, in tokens. */
export function learnCount(
	store: ConversationStore,
	{ root, names, options }: CountedRequest,
	known: Calibration,
	counted: number,
	reported: number,
) {
	// A count that cannot be true is ignored by the calibration.
	if (calibrate(known, { counted, reported }) === known) return;
	const missed = Math.abs(reported - reportedTokens(known, counted));
	if (known.samples > 0 && missed <= TOLERANCE * reported) return;
	store.addCount(root, { at: names.at(-1) ?? "", count: { model: modelOf(options), counted, reported } });
}

/** Tokens of a request by the usage of its answer; 0 if that does not say. */
export function reportedInput({ inputKeys }: WireFormat, usage: UnknownRecord): number {
	return inputKeys
		.map((key) => usage[key])
		.reduce<number>((sum, value) => (typeof value === "number" ? sum + value : sum), 0);
}

function modelOf({ model }: RequestOptions): string {
	return typeof model === "string" ? model : "";
}
