/** State that belongs to one branch of a session begins anew whenever pi opens a session or moves in its tree. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";

/** Handlers run in the order of their registration; `registerRestore` comes first, so that the others find its state. */
export function onBranchOpened(pi: ExtensionAPI, open: (ctx: ExtensionContext) => void | Promise<void>) {
	pi.on("session_start", (_event, ctx) => open(ctx));
	pi.on("session_tree", (_event, ctx) => open(ctx));
}
