/** A user's hand for tests: `/goto ENTRY` moves in the session tree as a choice in pi's `/tree` does. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function treeCommand(pi: ExtensionAPI) {
	pi.registerCommand("goto", {
		description: "Move to an entry of the session tree",
		handler: async (entry, ctx) => {
			await ctx.navigateTree(entry, { summarize: false });
		},
	});
}
