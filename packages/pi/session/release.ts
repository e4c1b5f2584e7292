/**
 * Finds the parts of their own messages that a user can release: the middle of long old texts, usually pasted ones.
 * Nothing is released without a command; recall gives back what was cut.
 */
import { type CountTokens, formatTokens, lineEndBefore, lineStartAfter, quote } from "#basics";
import type { Pass, Release } from "#core/log";
import { makeManualPass, type PlanInput } from "#core/planning";
import type { UserItem } from "#core/transcript";
import type { HostMessage } from "../codec/host-message.ts";
import { cutText, longText } from "../codec/partial-messages.ts";

/** Shorter messages are not worth a cut; in tokens. */
const SHORTEST = 1_000;
/** The latest messages of a person are what the work is about. */
const KEPT_TURNS = 2;
/** The characters that stay at the beginning and the end of a text; nearby line ends are preferred. */
const HEAD = 1_200;
const TAIL = 600;

/** A pass that cuts the long old messages of the person; undefined when there are none. */
export function planRelease(
	messages: readonly HostMessage[],
	input: PlanInput,
	count: CountTokens,
): Pass | undefined {
	const { graph, view } = input;
	const written = [...graph.prologue, ...graph.userMessages].filter((item) => item.type === "user");
	const releases = written
		.slice(0, -KEPT_TURNS)
		.filter(({ id, tokens }) => tokens >= SHORTEST && !view.released.has(id))
		.flatMap((item) => makeRelease(item, messages[item.message], count) ?? []);
	return releases.length === 0 ? undefined : makeManualPass(input, { strips: [], releases });
}

function makeRelease(
	{ id }: UserItem,
	message: HostMessage | undefined,
	count: CountTokens,
): Release | undefined {
	const text = message && longText(message);
	if (text === undefined || text.length <= HEAD + TAIL) return undefined;
	const head = lineEndBefore(text, HEAD);
	const tail = text.length - lineStartAfter(text, text.length - TAIL);
	const whole = count(text);
	const left = formatTokens(whole - count(text.slice(0, head)) - count(text.slice(text.length - tail)));
	const release = { item: id, head, tail, mark: `[${left} tokens left out on request; recall ${quote(id)}]` };
	const tokens = whole - count(cutText(text, release));
	return tokens > 0 ? { ...release, tokens } : undefined;
}

const MARK = /^\[[\d.]+[kM]? tokens left out on request; recall (".*")\]$/;

/** Returns true for a release that `planRelease` may have made: it keeps a head and a tail, and says our words only. */
export function isOwnRelease({ item, head, tail, mark }: Release): boolean {
	const isBetween = (length: number, most: number) =>
		Number.isInteger(length) && length >= most / 2 && length <= most;
	return isBetween(head, HEAD) && isBetween(tail, TAIL) && MARK.exec(mark)?.[1] === quote(item);
}
