/**
 * Texts that the extension keeps in the context (git status, the goal): appended when they changed and when they
 * can no longer be seen, and kept where they stand, since rewriting them would break the provider's prefix cache.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { contentText, customPartsOf, type HostMessage, OUR_MESSAGES, resultPartsOf } from "#pi/codec";
import { drawMark, type FrameMark, MARK_ENTRY, readMark, unframe } from "#pi/prompt";

type Tag = "git-status" | "goal";

/** The texts that the model can see, by tag, framed as they were sent; "" means none. */
export type InjectedContext = Record<Tag, string>;

/** The last text of each tag that stands in these messages. */
function readInjectedContext(messages: readonly HostMessage[], mark: FrameMark): InjectedContext {
	const texts = messages.flatMap(textsOf).toReversed();
	const last = (tag: Tag) => texts.map((text) => unframe(mark, tag, text)).find((text) => text !== undefined);
	return { "git-status": last("git-status") ?? "", goal: last("goal") ?? "" };
}

/** Injected texts are messages of their own, or attached to a tool's own output. */
function textsOf(message: HostMessage): readonly string[] {
	const own = customPartsOf(message);
	if (own?.customType.startsWith(OUR_MESSAGES)) return [contentText(own.content)];
	return resultPartsOf(message)?.attached ?? [];
}

export type InjectedState = ReturnType<typeof createInjectedState>;

/** The injected texts that the model can see now, read from its messages when somebody asks. */
export function createInjectedState(
	pi: ExtensionAPI,
	visibleMessages: (ctx: ExtensionContext) => Promise<readonly HostMessage[]>,
) {
	let visible: Promise<InjectedContext> | undefined;
	let drawn: FrameMark | undefined;

	/** Distinguishes our frames from text that only looks like one; drawn and written down when first asked for. */
	function mark(ctx: ExtensionContext): FrameMark {
		drawn ??= readMark(ctx.sessionManager.getBranch()) ?? newMark(pi);
		return drawn;
	}

	return {
		mark,
		/** Whoever adds a text writes it into this object. */
		visible(ctx: ExtensionContext): Promise<InjectedContext> {
			visible ??= visibleMessages(ctx).then((messages) => readInjectedContext(messages, mark(ctx)));
			return visible;
		},
		/** Call this when the model's context has changed: to these messages, or so that it has to be read again. */
		invalidate(sent?: { readonly ctx: ExtensionContext; readonly messages: readonly HostMessage[] }) {
			visible = sent && Promise.resolve(readInjectedContext(sent.messages, mark(sent.ctx)));
		},
		/** Another branch was opened. */
		restore() {
			drawn = undefined;
			visible = undefined;
		},
	};
}

function newMark(pi: ExtensionAPI): FrameMark {
	const mark = drawMark();
	pi.appendEntry(MARK_ENTRY, { mark });
	return mark;
}
