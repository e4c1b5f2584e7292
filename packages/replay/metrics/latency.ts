/**
 * A model of the time that one request takes, since a replay and a scripted worker wait for no provider. Input follows the
 * times to the first token that Anthropic published with prompt caching (claude.com/blog/prompt-caching, 2024): 1.6 s for
 * 10,000 tokens and 11.5 s for 100,000 without the cache, 2.4 s for 100,000 from it. The speed of output is an assumption;
 * it hardly matters, because policies differ in what they send. Tools, queues and people are left out.
 */
import type { ExtraCall } from "../policies/replay-policy.ts";

/** Seconds. */
const BASE = 0.5;
/** Tokens a second. */
const FRESH = 9_000;
const CACHED = 50_000;
const OUTPUT = 60;

/** The modeled time of one request, in seconds. */
export function requestSeconds({ input, cached, output }: ExtraCall): number {
	return BASE + (input - cached) / FRESH + cached / CACHED + output / OUTPUT;
}
