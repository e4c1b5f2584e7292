/** The pre-request transform: projects each request and makes a pass when the policy asks for one. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Pass } from "../../packages/core/log.ts";
import { formatTokens } from "../../packages/host/budget.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import { PASS_ENTRY } from "../../packages/host/log-entries.ts";
import { lastShown } from "./git-status.ts";
import type { Runtime } from "./runtime.ts";
import { showStatus } from "./status.ts";

export function registerTransform(pi: ExtensionAPI, runtime: Runtime) {
	/** The last list that was sent, and how many host messages it stands for. */
	let lastGood: { readonly sent: readonly HostMessage[]; readonly covers: number } = { sent: [], covers: 0 };
	let shownBlockers = "";

	pi.on("session_start", () => {
		lastGood = { sent: [], covers: 0 };
	});
	pi.on("context", async (event, ctx) => {
		if (!runtime.loaded.settings.enabled) return undefined;
		try {
			const session = await runtime.session();
			const projected = session.request(event.messages, await runtime.requestSettings(ctx));
			if (projected.pass && projected.pass.strips.length > 0) {
				pi.appendEntry(PASS_ENTRY, projected.pass);
				runtime.lastPass = projected.pass;
				// The status may have left with its episode: it is then shown again.
				runtime.shownStatus = lastShown(projected.messages);
			}
			shownBlockers = showBlockers(ctx, projected.pass, shownBlockers);
			runtime.last = projected;
			runtime.protocol = session.state().graph.protocol;
			lastGood = { sent: projected.messages, covers: event.messages.length };
			showStatus(runtime, ctx);
			return { messages: projected.messages };
		} catch (fault) {
			// A request must never be lost to a fault of ours: send what was good last, and what came since.
			const reason = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
			ctx.ui.notify(`cwl: internal fault, sending the last good context. Please report: ${reason}`, "error");
			return { messages: [...lastGood.sent, ...event.messages.slice(lastGood.covers)] };
		}
	});
}

/** Say once what keeps the context above its budget, and again only when that changes. */
function showBlockers(ctx: ExtensionContext, pass: Pass | undefined, shown: string): string {
	if (!pass || pass.blockers.length === 0) return "";
	const [largest] = pass.blockers;
	const key = pass.blockers.map((blocker) => blocker.what).join();
	if (key !== shown && largest) {
		ctx.ui.notify(
			`cwl: ${formatTokens(pass.after)} of ${formatTokens(pass.budget)} tokens and nothing safe left to evict. ` +
				`Largest: ${largest.what} (${formatTokens(largest.tokens)}); ${largest.remedy}.`,
			"warning",
		);
	}
	return key;
}
