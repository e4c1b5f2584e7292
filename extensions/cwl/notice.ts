/** Notices that reach the user in every mode: pi's own are silent without a user interface. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { visibleText } from "#core/transcript";

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
