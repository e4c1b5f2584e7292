/** Another extension that makes ours fail: after a pass, and after `/poison`, the newest result cannot be read the first time. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function poisoning(pi: ExtensionAPI) {
	let isDue = false;
	let isDone = false;
	pi.events.on("cwl:pass", () => {
		isDue = true;
	});
	pi.registerCommand("poison", {
		description: "poisons the next result",
		async handler() {
			isDue = true;
			isDone = false;
		},
	});
	pi.on("context", ({ messages }) => {
		const last = messages.at(-1);
		if (!isDue || isDone || last?.role !== "toolResult") return undefined;
		isDone = true;
		let isRead = false;
		const poisoned = Object.defineProperty({ ...last }, "content", {
			enumerable: true,
			get() {
				if (isRead) return last.content;
				isRead = true;
				throw new Error("this result is poisoned");
			},
		});
		return { messages: [...messages.slice(0, -1), poisoned] };
	});
}
