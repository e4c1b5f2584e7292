/** Tools that fail in the ways that tools do. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

const nothing = { type: "object", properties: {} };

export default function failingTools(pi: ExtensionAPI) {
	pi.registerTool({
		name: "throws",
		label: "throws",
		description: "Throws.",
		parameters: nothing,
		execute: () => {
			throw new Error("the tool is broken");
		},
	});
	pi.registerTool({
		name: "hangs",
		label: "hangs",
		description: "Never returns, unless it is told to stop.",
		parameters: nothing,
		execute: (_id, _parameters, signal) =>
			new Promise<never>((_resolve, reject) => {
				signal?.addEventListener("abort", () => reject(new Error("stopped")));
			}),
	});
}
