/** Another extension that changes an old message where nobody sees it: in the request as it goes out. */

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { isRecord } from "#basics";

export default function rewordingPayload(pi: ExtensionAPI) {
	pi.on("before_provider_request", ({ payload }) => {
		if (!isRecord(payload) || !Array.isArray(payload.messages)) return undefined;
		const first = payload.messages.findIndex((message) => isRecord(message) && message.role === "user");
		const please = { type: "text", text: "please" };
		const messages = payload.messages.map((message, index) =>
			index === first ? { ...message, content: [...message.content, please] } : message,
		);
		return { ...payload, messages };
	});
}
