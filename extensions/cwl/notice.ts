/** Notices that reach the user in every mode: pi's own are silent without a user interface. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { visibleText } from "#core/transcript";
import { oneLine } from "#pi";

/** Tells a problem: as a notice, or as a line on stderr in print and JSON mode. */
export function tellProblem(ctx: ExtensionContext, kind: "info" | "warning" | "error", problem: string) {
	const text = `cwl: ${visibleText(problem)}`;
	if (ctx.hasUI) ctx.ui.notify(text, kind);
	else process.stderr.write(`${text}\n`);
}

/** Tells something worth knowing, in the same way. */
export function tellNotice(ctx: ExtensionContext, notice: string) {
	tellProblem(ctx, "info", notice);
}

/** Columns that pi and we put before a notice, and that pi leaves free after it. */
const AROUND = " cwl:  ".length;

/** Columns for a notice that is to stay one line; undefined where nothing is wrapped. */
export function noticeWidth(): number | undefined {
	const { isTTY, columns } = process.stdout;
	return isTTY && columns ? columns - AROUND : undefined;
}

/** The longest wording of a command's answer that fits one line. */
export function inOneLine(...wordings: readonly [string, ...string[]]): string {
	return oneLine(wordings, noticeWidth());
}
