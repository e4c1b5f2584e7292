/** Events of newer hosts, registered where the running pi has them. */
import type { ContextEvent, ExtensionAPI, ExtensionHandler } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { type HostMessage, takeHead } from "#pi";

type MessagesHandler = ExtensionHandler<ContextEvent, { messages?: HostMessage[] }>;

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
export function onRequestMessages(pi: ExtensionAPI, handler: MessagesHandler) {
	if (!hasSystemMessages(pi)) {
		pi.on("context", handler);
		return;
	}
	pi.on("context_with_system", async (event, ctx) => {
		const { conversation, withHead } = takeHead(event.messages);
		const result = await handler({ type: "context", messages: conversation }, ctx);
		return result?.messages && { messages: withHead(result.messages) };
	});
}
