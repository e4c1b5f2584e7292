/**
 * Texts that the extension keeps in the context (git status, the goal): appended when they changed and when they
 * can no longer be seen, and kept where they stand, since rewriting them would break the provider's prefix cache.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import {
	contentText,
	customPartsOf,
	drawMark,
	type FrameMark,
	type HostMessage,
	MARK_ENTRY,
	type MarkEntry,
	OUR_MESSAGES,
	readMark,
	resultPartsOf,
	unframe,
} from "#pi";

export type Tag = "git-status" | "goal";

/** The texts that the model can see, by tag, framed as they were sent; "" means none. */
export type InjectedContext = Record<Tag, string>;

/** Everything that stands in these messages. */
function readInjectedContext(messages: readonly HostMessage[], mark: FrameMark): InjectedContext {
	return {
		"git-status": lastInjected(messages, mark, "git-status"),
		goal: lastInjected(messages, mark, "goal"),
	};
}

/** The last text of that tag in these messages, "" without any. */
function lastInjected(messages: readonly HostMessage[], mark: FrameMark, tag: Tag): string {
	for (const message of messages.toReversed()) {
		for (const text of textsOf(message).toReversed()) {
			const injected = unframe(mark, tag, text);
			if (injected !== undefined) return injected;
		}
	}
	return "";
}

/** Injected texts are messages of their own, or attached to a tool's own output. */
function textsOf(message: HostMessage): readonly string[] {
	const own = customPartsOf(message);
	if (own?.customType.startsWith(OUR_MESSAGES)) return [contentText(own.content)];
	return resultPartsOf(message)?.attached ?? [];
}

/** The injected texts that the model can see now, read from its messages when somebody asks. */
export interface InjectedState {
	/** Distinguishes our frames from text that only looks like one; drawn and written down when first asked for. */
	mark(ctx: ExtensionContext): FrameMark;
	/** Whoever adds a text writes it into this object. */
	visible(ctx: ExtensionContext): Promise<InjectedContext>;
	/** Call this when the model's context has changed: to these messages, or so that it has to be read again. */
	invalidate(sent?: { readonly ctx: ExtensionContext; readonly messages: readonly HostMessage[] }): void;
	/** Another branch was opened. */
	restore(): void;
}

export function createInjectedState(
	pi: ExtensionAPI,
	visibleMessages: (ctx: ExtensionContext) => Promise<readonly HostMessage[]>,
): InjectedState {
	let visible: Promise<InjectedContext> | undefined;
	let mark: FrameMark | undefined;
	const state: InjectedState = {
		mark(ctx) {
			mark ??= readMark(ctx.sessionManager.getBranch()) ?? newMark(pi);
			return mark;
		},
		visible(ctx) {
			visible ??= visibleMessages(ctx).then((messages) => readInjectedContext(messages, state.mark(ctx)));
			return visible;
		},
		invalidate(sent) {
			visible = sent && Promise.resolve(readInjectedContext(sent.messages, state.mark(sent.ctx)));
		},
		restore() {
			mark = undefined;
			visible = undefined;
		},
	};
	return state;
}

function newMark(pi: ExtensionAPI): FrameMark {
	const entry: MarkEntry = { mark: drawMark() };
	pi.appendEntry(MARK_ENTRY, entry);
	return entry.mark;
}
