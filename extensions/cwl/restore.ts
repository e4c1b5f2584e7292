/**
 * State comes from the session's branch whenever pi opens one or moves on it; after a long rest, the user is
 * offered a fresh session.
 */

import { statSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countOf, formatTokens } from "#basics";
import { inputTokens, lastAnswer } from "#pi/codec";
import { flags } from "#pi/settings";
import { showNextSize, showStatus } from "./footer.ts";
import { onBranchOpened, tellNotice } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { setOwnToolsActive } from "./tools.ts";

export function registerRestore(pi: ExtensionAPI, runtime: Runtime) {
	for (const { name, description } of Object.values(flags)) {
		pi.registerFlag(name, { description, type: "string" });
	}

	pi.on("session_start", (_event, ctx) => tellReading(ctx));
	onBranchOpened(pi, async (ctx) => {
		await runtime.restore(ctx);
		setOwnToolsActive(pi, runtime.settings.isEnabled);
		showStatus(runtime, ctx);
		// Not awaited: counting a resumed session's tokens must not delay its start.
		void showSize(runtime, ctx);
	});
	// The limits, the prices and the cache are those of the new model.
	pi.on("model_select", (_event, ctx) => {
		runtime.lastRequest.cachedShare = undefined;
		void showSize(runtime, ctx);
	});
	pi.on("session_start", (_event, ctx) => {
		const suggestion = suggest(ctx, Date.now());
		if (suggestion !== undefined && runtime.settings.isEnabled) tellNotice(ctx, suggestion);
	});
}

/** Smaller files are read within a second; in bytes. */
const LARGE_FILE = 4_000_000;

/** Says what the first request waits for, where that takes a while. */
function tellReading(ctx: ExtensionContext) {
	const file = ctx.sessionManager.getSessionFile();
	const bytes = file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
	if (bytes < LARGE_FILE) return;
	const entries = ctx.sessionManager.getBranch().length;
	const what = `${countOf(entries, "entry", "entries")} (${Math.round(bytes / 1e6)} MB)`;
	tellNotice(ctx, `reading ${what} of this session; the first request goes out after that.`);
}

/** The footer shows the size of a session on another branch or model before its next request. */
async function showSize(runtime: Runtime, ctx: ExtensionContext) {
	if (!ctx.hasUI) return;
	try {
		await showNextSize(runtime, ctx);
	} catch {
		// The session may be closed by now, and the first request reports a fault that lasts.
	}
}

const HOUR = 3_600_000;
/** A shorter rest is a break of the same work; in milliseconds. */
const MIN_GAP = 12 * HOUR;
/** Smaller sessions cost little to go on with; in tokens. */
const MIN_SIZE = 10_000;

/** Offers a fresh session where this one has rested for long; undefined where not. */
function suggest({ sessionManager }: ExtensionContext, now: number): string | undefined {
	const messages = sessionManager.getBranch().flatMap((entry) => (entry.type === "message" ? [entry] : []));
	const gap = now - Date.parse(messages.at(-1)?.timestamp ?? "");
	const answer = lastAnswer(messages.map(({ message }) => message));
	const size = answer ? inputTokens(answer) : 0;
	// NaN is no gap.
	if (!(gap >= MIN_GAP) || size < MIN_SIZE) return undefined;
	const hours = Math.floor(gap / HOUR);
	const rested = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
	return `this session rested for ${rested}. \`cwl resume --soft\` starts a fresh one from its brief instead of ${formatTokens(size)} tokens of history.`;
}
