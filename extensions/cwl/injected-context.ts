/**
 * Texts of ours that the model should have in sight (git status, the goal): appended when they changed and when they
 * can no longer be seen, and kept where they stand, since rewriting them would break the provider's prefix cache.
 */
import {
	contentText,
	customPartsOf,
	type FrameMark,
	type HostMessage,
	OUR_MESSAGES,
	resultPartsOf,
	unframe,
} from "#pi";

export type Tag = "git-status" | "goal";

/** What the model can see, by tag, as it stands in its frame; "" is nothing. */
export type InjectedContext = Record<Tag, string>;

/** Everything that stands in these messages. */
export function readInjectedContext(messages: readonly HostMessage[], mark: FrameMark): InjectedContext {
	return { "git-status": lastTold(messages, mark, "git-status"), goal: lastTold(messages, mark, "goal") };
}

/** The last text of that tag in these messages, "" without any. */
function lastTold(messages: readonly HostMessage[], mark: FrameMark, tag: Tag): string {
	for (const message of messages.toReversed()) {
		for (const text of textsOf(message).toReversed()) {
			const told = unframe(mark, tag, text);
			if (told !== undefined) return told;
		}
	}
	return "";
}

/** Where our texts stand: messages of our own, and what is attached to a tool's own output. */
function textsOf(message: HostMessage): readonly string[] {
	const own = customPartsOf(message);
	if (own?.customType.startsWith(OUR_MESSAGES)) return [contentText(own.content)];
	return resultPartsOf(message)?.attached ?? [];
}
