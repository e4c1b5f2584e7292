/** Another extension that changes an old message: it adds a word to what the user asked first. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function rewording(pi: ExtensionAPI) {
	pi.on("context", ({ messages }) => {
		const first = messages.findIndex(({ role }) => role === "user");
		const reworded = messages.map((message, index) => {
			if (index !== first || message.role !== "user" || typeof message.content === "string") return message;
			return { ...message, content: [...message.content, { type: "text" as const, text: "please" }] };
		});
		return { messages: reworded };
	});
}
