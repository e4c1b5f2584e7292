/**
 * Moves in the session tree for tests, as a choice in pi's `/tree` does: `/goto ENTRY`, and `/goto-summary ENTRY` with a
 * summary of the branch that is left.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function treeCommand(pi: ExtensionAPI) {
	for (const [name, summarize] of Object.entries({ goto: false, "goto-summary": true })) {
		pi.registerCommand(name, {
			description: "Move to an entry of the session tree",
			handler: async (entry, ctx) => void (await ctx.navigateTree(entry, { summarize })),
		});
	}
}
