/**
 * Texts that the extension keeps in the context (git status, the goal): appended when they changed and when they
 * can no longer be seen, and kept where they stand, since rewriting them would break the provider's prefix cache.
 */
import type { ExtensionAPI, ExtensionContext, ToolResultEvent } from "@mariozechner/pi-coding-agent";
import { attachedTexts, contentText, customPartsOf, type HostMessage, OUR_MESSAGES } from "#pi/codec";
import { drawMark, type FrameMark, type FrameTag, frame, MARK_ENTRY, readMark, unframe } from "#pi/prompt";
import type { EntryLog } from "./entry-log.ts";

/** A text to send now; undefined or "" for none. */
type Due = string | undefined;

/** The kept texts that the model can see, by tag; "" means none. */
type VisibleTexts = Record<"git-status" | "goal", string>;

/** The last text of each tag in these messages. */
function readInjectedContext(messages: readonly HostMessage[], mark: FrameMark): VisibleTexts {
	const texts = messages.flatMap(textsOf).toReversed();
	const last = (tag: keyof VisibleTexts) =>
		texts.map((text) => unframe(mark, tag, text)).find((text) => text !== undefined);
	return { "git-status": last("git-status") ?? "", goal: last("goal") ?? "" };
}

/** Injected texts are messages of their own, or attached to a tool's own output. */
function textsOf(message: HostMessage): readonly string[] {
	const own = customPartsOf(message);
	if (own?.customType.startsWith(OUR_MESSAGES)) return [contentText(own.content)];
	return attachedTexts(message);
}

export type InjectedState = ReturnType<typeof createInjectedState>;

/** The injected texts that the model can see now, read from its messages when somebody asks. */
export function createInjectedState(
	pi: ExtensionAPI,
	entries: Pick<EntryLog, "note">,
	visibleMessages: (ctx: ExtensionContext) => Promise<readonly HostMessage[]>,
) {
	let visible: Promise<VisibleTexts> | undefined;
	let drawn: FrameMark | undefined;

	/** Distinguishes our frames from text that only looks like one; drawn and written down when first asked for. */
	function mark(ctx: ExtensionContext): FrameMark {
		drawn ??= readMark(ctx.sessionManager.getBranch());
		if (drawn === undefined) {
			drawn = drawMark();
			entries.note(ctx, MARK_ENTRY, { mark: drawn });
		}
		return drawn;
	}

	const message = (ctx: ExtensionContext, tag: FrameTag, text: string) => ({
		customType: `${OUR_MESSAGES}${tag}`,
		content: frame(mark(ctx), tag, text),
		display: false,
	});

	return {
		mark,
		/** A framed text as a message of its own. */
		message,
		/** Sends what is due with each turn of the user. */
		withTurns(tag: FrameTag, due: (ctx: ExtensionContext) => Promise<Due>) {
			pi.on("before_agent_start", async (_event, ctx) => {
				const text = await due(ctx);
				return text ? { message: message(ctx, tag, text) } : undefined;
			});
		},
		/** Attaches what is due to each result of a tool. */
		withResults(tag: FrameTag, due: (ctx: ExtensionContext, event: ToolResultEvent) => Promise<Due>) {
			pi.on("tool_result", async (event, ctx) => {
				const text = await due(ctx, event);
				if (!text) return undefined;
				return { content: [...event.content, { type: "text", text: frame(mark(ctx), tag, text) }] };
			});
		},
		/** Whoever adds a text writes it into this object. */
		visible(ctx: ExtensionContext): Promise<VisibleTexts> {
			visible ??= visibleMessages(ctx).then((messages) => readInjectedContext(messages, mark(ctx)));
			return visible;
		},
		/** Call this when the model's context has changed, so that it has to be read again. */
		invalidate() {
			visible = undefined;
		},
		/** Another branch was opened. */
		restore() {
			drawn = undefined;
			visible = undefined;
		},
	};
}
