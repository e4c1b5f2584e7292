/** Another extension that changes every request: it stamps what people say, and leaves a line at the end. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function stamping(pi: ExtensionAPI) {
	pi.on("context", ({ messages }) => {
		const stamped = messages.map((message) => {
			if (message.role !== "user" || typeof message.content === "string") return message;
			const content = message.content.map((block) =>
				block.type === "text" ? { ...block, text: `[stamped] ${block.text}` } : block,
			);
			return { ...message, content };
		});
		const timestamp = messages.at(-1)?.timestamp ?? 0;
		const line = {
			role: "user" as const,
			content: [{ type: "text" as const, text: "[the end]" }],
			timestamp,
		};
		return { messages: [...stamped, line] };
	});
}
