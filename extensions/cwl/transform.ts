/** The pre-request transform: projects each request and makes a pass when the policy asks for one. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Pass } from "../../packages/core/log.ts";
import { formatTokens } from "../../packages/host/budget.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import { PASS_ENTRY } from "../../packages/host/log-entries.ts";
import { changesContext } from "../../packages/host/managed-session.ts";
import { lastShown } from "./git-status.ts";
import { tellProblem } from "./notice.ts";
import type { Runtime } from "./runtime.ts";
import { showStatus } from "./status.ts";

export function registerTransform(pi: ExtensionAPI, runtime: Runtime) {
	/** The last list that was sent, and how many host messages it stands for. */
	let lastGood: { readonly sent: readonly HostMessage[]; readonly covers: number } = { sent: [], covers: 0 };
	let shownBlocker: string | undefined;
	let shownFault: string | undefined;

	pi.on("session_start", () => {
		lastGood = { sent: [], covers: 0 };
	});
	pi.on("context", async (event, ctx) => {
		if (!runtime.loaded.settings.enabled) return undefined;
		try {
			const session = await runtime.session();
			const projected = session.request(event.messages, await runtime.requestSettings(ctx));
			if (projected.pass && changesContext(projected.pass)) {
				pi.appendEntry(PASS_ENTRY, projected.pass);
				runtime.lastPass = projected.pass;
				// The status may have left with its episode: it is then shown again.
				runtime.shownStatus = lastShown(projected.messages);
			}
			shownBlocker = showBlocker(ctx, projected.pass, shownBlocker);
			runtime.last = projected;
			runtime.protocol = session.state().graph.protocol;
			lastGood = { sent: projected.messages, covers: event.messages.length };
			showStatus(runtime, ctx);
			return { messages: projected.messages };
		} catch (fault) {
			// A request must never be lost to a fault of ours: send what was good last, and what came since.
			const reason = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
			if (reason !== shownFault) {
				tellProblem(ctx, "error", `internal fault, sending the last good context. Please report: ${reason}`);
			}
			shownFault = reason;
			return { messages: [...lastGood.sent, ...event.messages.slice(lastGood.covers)] };
		}
	});
}

/** Say once what keeps the context above its budget, and again only when that changes. */
function showBlocker(
	ctx: ExtensionContext,
	pass: Pass | undefined,
	shown: string | undefined,
): string | undefined {
	const largest = pass?.blockers[0];
	if (!pass || !largest) return undefined;
	if (largest.what !== shown) {
		tellProblem(
			ctx,
			"warning",
			`${formatTokens(pass.after)} of ${formatTokens(pass.budget)} tokens and nothing safe left to evict. ` +
				`Largest: ${largest.what} (${formatTokens(largest.tokens)}); ${largest.remedy}.`,
		);
	}
	return largest.what;
}
