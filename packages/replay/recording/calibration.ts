/**
 * Sizes of a recording in the provider's tokens. Where a file records the usage of its requests, the size of text is
 * learned from it as a live session learns it; where it does not, our count stands for the provider's.
 */
import type { CountTokens } from "#basics";
import { calibrate, uncalibrated } from "#core/ledger";
import { inputTokens } from "#pi/codec";
import type { CountedAnswer, OldSession } from "#pi/session";
import { listSent } from "./sent-requests.ts";

/** The provider's tokens, compared with ours. Plain data. */
export interface Scale {
	/** The provider's tokens for one of ours, in text; sealed thinking is estimated in the provider's tokens. */
	readonly factor: number;
	/** Tokens of the recorded agent's own prompt and tools. */
	readonly overhead: number;
	/** The number of requests whose usage it was learned from. */
	readonly requests: number;
}

/** One request: our tokens of its text, its sealed thinking as estimated, and all input that the provider reported. */
interface Sample {
	readonly text: number;
	readonly sealed: number;
	readonly reported: number;
}

/** Usage that is further off than this share, for half of the requests, is not that of these messages. */
const MAX_ERROR = 0.2;

/** Undefined for a session without usage, or with usage that its messages do not explain. Linear in the session. */
export function measureScale(old: OldSession, count: CountTokens): Scale | undefined {
	const all = Array.from(listSent({ old, count }), sampleOf).flat();
	const samples = all.slice(0, lossIn(all));
	if (samples.length === 0) return undefined;
	// One step over the whole session outweighs the first ratio, which holds the prompt too.
	const { factor } = [...samples, ...samples.slice(0, 1), ...samples.slice(-1)].reduce(
		(learned, { text, sealed, reported }) =>
			calibrate(learned, { counted: text, reported: reported - sealed }),
		uncalibrated,
	);
	const learned = fitScale(samples, factor);
	const own = fitScale(samples, 1);
	const { error, overhead, ...best } = own.error <= learned.error ? own : learned;
	if (error > MAX_ERROR) return undefined;
	return { ...best, overhead: Math.max(0, overhead), requests: samples.length };
}

/** The prompt that explains half of the requests best, and the share that half of them are further off than. */
function fitScale(samples: readonly Sample[], factor: number) {
	const overhead = Math.round(median(samples.map((each) => each.reported - sizeOf(each, factor))));
	const errorOf = (each: Sample) => Math.abs(sizeOf(each, factor) + overhead - each.reported) / each.reported;
	return { factor, overhead, error: median(samples.map(errorOf)) };
}

/** A request is never this much smaller than the one before it, unless messages have left. */
export const SHRUNK = 0.6;

/** Index of the first request that shrank although its messages grew: a compaction that the file does not name. */
function lossIn(samples: readonly Sample[]): number {
	const lost = samples.findIndex((each, index) => {
		const before = samples[index - 1];
		return before && sizeOf(each, 1) >= sizeOf(before, 1) && each.reported < SHRUNK * before.reported;
	});
	return lost < 0 ? samples.length : lost;
}

function sampleOf({ answer, tokens, state }: CountedAnswer): readonly Sample[] {
	const reported = inputTokens(answer);
	if (reported === 0) return [];
	const { graph, view } = state();
	let sealed = 0;
	for (const item of graph.reasoning)
		if (item.type === "reasoning" && !view.removed.has(item.id)) sealed += item.sealed ?? 0;
	return [{ text: tokens - sealed, sealed, reported }];
}

const sizeOf = ({ text, sealed }: Sample, factor: number): number => factor * text + sealed;

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Counts a text in the provider's tokens. */
export function scaleCounter(count: CountTokens, scale: Scale | undefined): CountTokens {
	return scale ? (text) => Math.round(scale.factor * count(text)) : count;
}
