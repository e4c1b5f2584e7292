/**
 * Between pi and the extension: events that only newer hosts have, notices that reach the user in every mode, and code that
 * is loaded at first use.
 */

import type {
	ContextEvent,
	ExtensionAPI,
	ExtensionContext,
	ExtensionHandler,
} from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { visibleText } from "#basics";
import { type HostMessage, takeHead } from "#pi/codec";
import type { WarmingEvent } from "#pi/requests";

type MessagesHandler = ExtensionHandler<ContextEvent, { messages?: HostMessage[] }>;

/** `head` is the system message that pi keeps in front of the messages; undefined where pi keeps none. */
type ConversationHandler = (
	messages: HostMessage[],
	ctx: ExtensionContext,
	head: string | undefined,
) => Promise<HostMessage[] | undefined>;

interface NewerEvents {
	on(event: "context_with_system", handler: MessagesHandler): void;
	on(event: "cache_warming_decision", handler: ExtensionHandler<WarmingEvent, { action: "stop" }>): void;
}

/**
 * Returns true on pi 0.87.0 and later, which brought `context_with_system` and the function that is looked for; an
 * unknown event would be registered without an error.
 */
export function hasSystemMessages(pi: ExtensionAPI): pi is ExtensionAPI & NewerEvents {
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

/** Tells a problem: as a notice, or as a line on stderr in print and JSON mode; not at all once its session is closed. */
export function tellProblem(ctx: ExtensionContext, kind: "info" | "warning" | "error", problem: string) {
	const text = `cwl: ${visibleText(problem)}`;
	if (isClosed(ctx)) return;
	if (ctx.hasUI) ctx.ui.notify(text, kind);
	else process.stderr.write(`${text}\n`);
}

/** Returns true if pi has closed or replaced the session: every field of its context throws then. */
function isClosed(ctx: ExtensionContext): boolean {
	try {
		return ctx.hasUI === undefined;
	} catch {
		return true;
	}
}

/** Tells something worth knowing, in the same way. */
export function tellNotice(ctx: ExtensionContext, notice: string) {
	tellProblem(ctx, "info", notice);
}

/** Only a person in front of a terminal can see an overlay, and answer a question. */
export function hasTerminal({ hasUI }: Pick<ExtensionContext, "hasUI">): boolean {
	return hasUI && process.stdout.isTTY === true;
}

/** Columns that pi and we put before a notice, and that pi leaves free after it. */
const AROUND = " cwl:  ".length;

/** Columns of a line of a notice; undefined where nothing is wrapped. */
export function noticeWidth(): number | undefined {
	const { isTTY, columns } = process.stdout;
	return isTTY && columns ? columns - AROUND : undefined;
}

/** Runs works one after the other; an error is thrown to its caller and delays no other work. */
export function createQueue() {
	let last: Promise<unknown> = Promise.resolve();
	return <T>(work: () => Promise<T>): Promise<T> => {
		const next = last.then(work);
		last = next.catch(() => undefined);
		return next;
	};
}

/**
 * Loads code at its first use, one import after the other: of two at once that lead to the same module, jiti hands one a module
 * that has not run yet, and calls that a model makes in parallel do that.
 */
export const importInTurn = createQueue();
