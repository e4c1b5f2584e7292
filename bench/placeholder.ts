/** What some policies leave in place of an output. */
import type { HostMessage } from "../packages/host/host-message.ts";

type ResultMessage = HostMessage & { readonly role: "toolResult" };

const content: ResultMessage["content"] = [{ type: "text", text: "[output omitted]" }];

/** The result of the same call with nothing but a placeholder in it. */
export function omitOutput(result: ResultMessage): ResultMessage {
	return { ...result, content };
}

export function isOmitted(message: HostMessage): boolean {
	return message.role === "toolResult" && message.content === content;
}
