/**
 * The session file holds the whole history, whatever the disk does: it is compared with what pi has in memory, and
 * what is missing is written as soon as it can be.
 */

import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countOf } from "#basics";
import { lastAnswer, messagesOf } from "#pi/codec";
import { type Compared, endLastLine, mendSessionFile } from "#pi/session";
import { tellNotice, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

/** The last entry of a file after what was missing, so that the branch continues where it was. */
const MENDED_ENTRY = "cwl.mended";

export function registerSessionFile(pi: ExtensionAPI, { entries }: Runtime) {
	let compared: Compared = { entries: 0, bytes: 0 };
	let isForeignShown = false;

	function guard(ctx: ExtensionContext, keep: (file: string) => void) {
		const file = ctx.sessionManager.getSessionFile();
		if (file === undefined) return;
		try {
			if (isAwaited(ctx, file)) keep(file);
		} catch (error) {
			entries.tellRefused(ctx, error);
		}
	}

	function mend(ctx: ExtensionContext) {
		guard(ctx, (file) => {
			const mended = mendSessionFile(file, ctx.sessionManager.getEntries(), compared);
			compared = mended.compared;
			if (mended.foreign > 0 && !isForeignShown) tellForeign(ctx, file);
			isForeignShown ||= mended.foreign > 0;
			if (mended.written === 0) return;
			entries.note(ctx, MENDED_ENTRY, { written: mended.written });
			tellNotice(
				ctx,
				`wrote ${countOf(mended.written, "entry", "entries")} that the session file had missed.`,
			);
		});
	}

	pi.on("session_start", (_event, ctx) => {
		compared = { entries: 0, bytes: 0 };
		guard(ctx, (file) => {
			compared = { bytes: endLastLine(file), entries: ctx.sessionManager.getEntries().length };
		});
	});
	pi.on("context", (_event, ctx) => mend(ctx));
	pi.on("agent_end", (_event, ctx) => mend(ctx));
	pi.on("session_shutdown", (_event, ctx) => mend(ctx));
}

/** pi makes the file with the first answer; before that, none is missed. */
function isAwaited(ctx: ExtensionContext, file: string): boolean {
	return existsSync(file) || lastAnswer(messagesOf(ctx.sessionManager.getEntries())) !== undefined;
}

function tellForeign(ctx: ExtensionContext, file: string) {
	const problem =
		"another process writes to this session too: nothing is lost, but each continues from its own end,";
	const remedy =
		"and the next start takes the one that wrote last. /tree shows the others; /fork makes a copy.";
	tellProblem(ctx, "warning", `${problem} ${remedy} File: ${file}`);
}
