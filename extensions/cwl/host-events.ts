/**
 * Events of pi: those of newer hosts, registered where the running pi has them, and the opening of a branch.
 */

import type {
	ContextEvent,
	ExtensionAPI,
	ExtensionContext,
	ExtensionHandler,
} from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { type HostMessage, takeHead } from "#pi/codec";

type MessagesHandler = ExtensionHandler<ContextEvent, { messages?: HostMessage[] }>;

/** `head` is the system message that pi keeps in front of the messages; undefined where pi keeps none. */
type ConversationHandler = (
	messages: HostMessage[],
	ctx: ExtensionContext,
	head: string | undefined,
) => Promise<HostMessage[] | undefined>;

interface SystemMessageEvents {
	on(event: "context_with_system", handler: MessagesHandler): void;
}

/**
 * Returns true on pi 0.87.0 and later, which brought `context_with_system` and the function that is looked for; an
 * unknown event would be registered without an error.
 */
export function hasSystemMessages(pi: ExtensionAPI): pi is ExtensionAPI & SystemMessageEvents {
	return "buildSessionProjection" in host;
}

/**
 * Registers the handler that rewrites the messages of a request. Where pi keeps system messages inside the history, a
 * changed list from `context` makes it merge them all into the first one, so that the whole cache and all thinking
 * are lost; `context_with_system` leaves them where they are. The handler never sees the system message in front.
 */
export function onRequestMessages(pi: ExtensionAPI, handler: ConversationHandler) {
	const handle: MessagesHandler = async (event, ctx) => {
		const { head, conversation, withHead } = takeHead(event.messages);
		const messages = await handler(conversation, ctx, head);
		return messages && { messages: withHead(messages) };
	};
	if (hasSystemMessages(pi)) pi.on("context_with_system", handle);
	else pi.on("context", handle);
}

/** Handlers run in the order of their registration; `registerRestore` comes first, so that the others find its state. */
export function onBranchOpened(pi: ExtensionAPI, open: (ctx: ExtensionContext) => void | Promise<void>) {
	pi.on("session_start", (_event, ctx) => open(ctx));
	pi.on("session_tree", (_event, ctx) => open(ctx));
}
