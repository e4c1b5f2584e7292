/**
 * pi from 0.87 on keeps its system prompt and tools as system messages: one in front of the history, and one at each
 * place where a section of the prompt or the tool set changed. No pass touches them, and none of them is a turn.
 */
import type { HostMessage } from "./host-message.ts";

/** The types of pi 0.73.1 do not know the role. */
export function isSystemMessage({ role }: { readonly role: string }): boolean {
	return role === "system";
}

/** A history without the system message in front of it, and a way to put that back in front of what is sent. */
export interface Headless {
	/** All that the system message in front says, its time left out; undefined where there is none. */
	readonly head: string | undefined;
	readonly conversation: HostMessage[];
	withHead(messages: readonly HostMessage[]): HostMessage[];
}

/** Takes off the system message in front; those inside the conversation stay where they are. */
export function takeHead(messages: readonly HostMessage[]): Headless {
	const head = messages.slice(0, messages[0] && isSystemMessage(messages[0]) ? 1 : 0);
	const [first] = head;
	return {
		head: first && JSON.stringify({ ...first, timestamp: 0 }),
		conversation: messages.slice(head.length),
		withHead: (sent) => [...head, ...sent],
	};
}
