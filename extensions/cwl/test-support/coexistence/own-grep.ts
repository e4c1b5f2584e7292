/** Another extension with a tool whose name we use too. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function ownGrep(pi: ExtensionAPI) {
	pi.registerTool({
		name: "grep",
		label: "grep",
		description: "Finds nothing.",
		parameters: { type: "object", properties: {} },
		execute: async () => ({ content: [{ type: "text" as const, text: "nothing" }], details: {} }),
	});
}
