/**
 * Commands for tests. `/goto ENTRY` moves in the session tree as a choice in pi's `/tree` does, `/goto-summary ENTRY` with a
 * summary of the branch that is left; `/drop-tool NAME` takes a tool away from the model in the middle of a session.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function sessionCommands(pi: ExtensionAPI) {
	for (const [name, summarize] of Object.entries({ goto: false, "goto-summary": true })) {
		pi.registerCommand(name, {
			description: "Move to an entry of the session tree",
			handler: async (entry, ctx) => void (await ctx.navigateTree(entry, { summarize })),
		});
	}
	pi.registerCommand("drop-tool", {
		description: "Take a tool away from the model",
		handler: async (dropped) => pi.setActiveTools(pi.getActiveTools().filter((name) => name !== dropped)),
	});
}
