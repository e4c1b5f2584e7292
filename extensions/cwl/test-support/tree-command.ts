/**
 * Moves in the session tree for tests, as a choice in pi's `/tree` does: `/goto ENTRY`, and `/goto-summary ENTRY` with a
 * summary of the branch that is left.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function treeCommand(pi: ExtensionAPI) {
	pi.registerCommand("goto", {
		description: "Move to an entry of the session tree",
		handler: async (entry, ctx) => {
			await ctx.navigateTree(entry, { summarize: false });
		},
	});
	pi.registerCommand("goto-summary", {
		description: "Move to an entry of the session tree, with a summary of the branch that is left",
		handler: async (entry, ctx) => {
			await ctx.navigateTree(entry, { summarize: true });
		},
	});
}
