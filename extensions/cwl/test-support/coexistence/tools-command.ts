/** Another extension for tests: `/drop-tool NAME` takes a tool away from the model, in the middle of a session. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function toolsCommand(pi: ExtensionAPI) {
	pi.registerCommand("drop-tool", {
		description: "Take a tool away from the model",
		handler: async (dropped) => {
			pi.setActiveTools(pi.getActiveTools().filter((name) => name !== dropped));
		},
	});
}
