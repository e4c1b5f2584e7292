/** What the user has to know, in every mode: pi's own notices are silent without a user interface. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";

/** Tell a problem: as a notice, or as a line on stderr in print and JSON mode. */
export function tellProblem(ctx: ExtensionContext, kind: "warning" | "error", problem: string): void {
	if (ctx.hasUI) ctx.ui.notify(`cwl: ${problem}`, kind);
	else process.stderr.write(`cwl: ${problem}\n`);
}
