/** How much of a request the one before it began with: what a provider's prompt cache can serve. */
import { sum } from "#basics";
import { type HostMessage, isAnswer } from "#pi/codec";
import type { MessageSizes } from "../recording/recording.ts";

/**
 * Measures requests against their predecessors; the first one extends an empty request. `overhead`: tokens of the prompt and the
 * tools, which every request begins with. `isEndCached`: the
 * provider wrote the request to its cache up to its end. `isLost`: it had lost what earlier requests had written.
 */
export function createPrefixMeter(sizes: MessageSizes, overhead = 0) {
	let previous: readonly HostMessage[] = [];
	/** The part of the overhead that the request before sent too. */
	let head = 0;
	/** Tokens before each message of the previous request, and after the last. */
	let ends: readonly number[] = [0];
	/** Numbers of messages with which earlier requests ended in the cache, as far as their prefix still stands. */
	let stops: readonly number[] = [0];
	return (messages: readonly HostMessage[], isEndCached = true, isLost = false) => {
		const differing = previous.findIndex((message, i) => {
			const now = messages[i];
			return !now || !isSameMessage(message, now);
		});
		const isExtension = differing < 0;
		const shared = isExtension ? previous.length : differing;
		const standing = stops.filter((stop) => stop <= shared);
		const ended = ends[standing.at(-1) ?? 0] ?? 0;
		const left = isLost ? [0] : standing;
		stops = isEndCached ? [...left, messages.length] : left;
		const common = (ends[shared] ?? 0) + sharedBlockTokens(previous[shared], messages[shared], sizes);
		const added = messages.slice(shared);
		let tokens = ends[shared] ?? 0;
		const newEnds = added.map((message) => {
			tokens += sum(sizes(message));
			return tokens;
		});
		ends = [...ends.slice(0, shared + 1), ...newEnds];
		// Keeping the earlier objects lets the next comparison go by identity.
		previous = [...previous.slice(0, shared), ...added];
		const measure = {
			tokens: overhead + tokens,
			/** Number of leading messages that the previous request began with too. */
			sharedMessages: shared,
			/** Tokens of those, of the overhead, and of the leading blocks that the first differing message shares. */
			sharedTokens: head + common,
			/** Of the shared tokens, those up to the last place where an earlier request ended. */
			endedTokens: head + ended,
			/** True if the whole previous request is the beginning of this one. */
			isExtension,
		};
		head = overhead;
		return measure;
	};
}

/**
 * Returns true if two messages of one replay are the same on the wire. Untouched messages and blocks are passed on as
 * the same objects, so text is compared only where an object was made anew.
 */
export function isSameMessage(a: HostMessage, b: HostMessage): boolean {
	if (a === b) return true;
	if (isAnswer(a) && isAnswer(b)) {
		return (
			a.timestamp === b.timestamp &&
			a.content.length === b.content.length &&
			a.content.every((block, i) => isSameBlock(block, b.content[i]))
		);
	}
	return a.role === b.role && a.timestamp === b.timestamp && JSON.stringify(a) === JSON.stringify(b);
}

function isSameBlock(a: object, b: object | undefined): boolean {
	return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sharedBlockTokens(
	a: HostMessage | undefined,
	b: HostMessage | undefined,
	sizes: MessageSizes,
): number {
	if (a?.role !== "assistant" || b?.role !== "assistant" || a.timestamp !== b.timestamp) return 0;
	let tokens = 0;
	for (const [i, block] of a.content.entries()) {
		if (!isSameBlock(block, b.content[i])) break;
		tokens += sizes(a)[i] ?? 0;
	}
	return tokens;
}
