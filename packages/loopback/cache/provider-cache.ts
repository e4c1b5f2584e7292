import { behaviorOf } from "../models/behavior.ts";
import type { ApiName } from "../server/faults.ts";
import type { Reading } from "../wire/reading.ts";
import { createAutomaticCache } from "./automatic.ts";
import { type CacheUse, createBreakpointCache, LOOKBACK_BLOCKS, type MarkedPrompt } from "./breakpoints.ts";
import { extendsSegments, type Segment } from "./segment.ts";

export interface PromptUse extends CacheUse {
	/** The tokens that a cache without markers would have served, whichever API this is. */
	readonly prefix: number;
}

/** The prompt caches of all providers, each model with its own rule. */
export interface ProviderCache {
	readonly measure: (api: ApiName, reading: Reading) => PromptUse;
	/** Stores a prompt that was processed. */
	readonly write: (api: ApiName, reading: Reading) => void;
	/** Returns true if a prompt starts with the model's previous prompt, and takes its place. */
	readonly extendsPrevious: (api: ApiName, reading: Reading) => boolean;
}

/** The prompt as the model's breakpoints see it; undefined for models that cache every prefix by themselves. */
function markedPrompt(api: ApiName, { model, segments, breakpoints }: Reading): MarkedPrompt | undefined {
	const { minimumCachedPrefix: minimum, billsCacheWrites } = behaviorOf(model);
	if (api === "anthropic") return { segments, breakpoints, minimum, lookback: LOOKBACK_BLOCKS };
	return billsCacheWrites ? { segments, breakpoints, minimum, lookback: 1 } : undefined;
}

/** Creates empty caches. `now` gives the time in ms. */
export function createProviderCache(now: () => number): ProviderCache {
	const automatic = createAutomaticCache();
	const marked = createBreakpointCache(now);
	const previous = new Map<string, readonly Segment[]>();
	const keyOf = (api: ApiName, { model }: Reading): string => `${api} ${model}`;
	return {
		measure(api, reading) {
			const key = keyOf(api, reading);
			const prefix = automatic.read(key, reading.segments);
			const prompt = markedPrompt(api, reading);
			return prompt
				? { ...marked.measure(key, prompt), prefix }
				: { read: prefix, written: 0, written1h: 0, prefix };
		},
		write(api, reading) {
			const key = keyOf(api, reading);
			const prompt = markedPrompt(api, reading);
			if (prompt) marked.write(key, prompt);
			automatic.write(key, reading.segments);
		},
		extendsPrevious(api, reading) {
			const key = keyOf(api, reading);
			const earlier = previous.get(key) ?? [];
			previous.set(key, reading.segments);
			return extendsSegments(earlier, reading.segments);
		},
	};
}
