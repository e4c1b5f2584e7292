/** Finds outputs that a live policy has faded among the messages of a request. */
import type { FadeAge } from "#core/log";
import { fadeContent, type HostMessage } from "#pi";

type Result = HostMessage & { readonly role: "toolResult" };
type Content = Result["content"];

const ages: readonly FadeAge[] = [1, 2, 3, 4];
const known = new WeakMap<Result, readonly Content[]>();

/** The number of blocks that an output has at the age that it is sent at; undefined if it is not a faded form of the whole. */
export function fadedLength(sent: Result, whole: Result): number | undefined {
	return contentsOf(whole).find((content) => beginsWith(sent.content, content))?.length;
}

/** Returns true if what is left of an output is a faded form of it. */
export function isFaded(left: HostMessage, whole: HostMessage): boolean {
	if (left.role !== "toolResult" || whole.role !== "toolResult" || left.content === whole.content)
		return false;
	return !beginsWith(left.content, whole.content) && fadedLength(left, whole) !== undefined;
}

/** Returns true if an output that was faded before shows less of the whole now. */
export function isFadedFurther(
	now: HostMessage,
	earlier: HostMessage,
	whole: HostMessage | undefined,
): boolean {
	if (now.role !== "toolResult" || earlier.role !== "toolResult" || whole?.role !== "toolResult")
		return false;
	const [from, to] = [ageOf(earlier, whole), ageOf(now, whole)];
	return from > 0 && to > from;
}

/** 0 for what is no faded form of the whole. */
function ageOf(sent: Result, whole: Result): number {
	return contentsOf(whole).findIndex((content) => beginsWith(sent.content, content)) + 1;
}

function contentsOf(whole: Result): readonly Content[] {
	const contents = known.get(whole) ?? ages.map((age) => fadeContent(whole, age));
	known.set(whole, contents);
	return contents;
}

function beginsWith(content: Content, start: Content): boolean {
	return start.every((block, index) => {
		const own = content[index];
		return own?.type === "text" && block.type === "text" ? own.text === block.text : own === block;
	});
}
