/**
 * Page faults, as demand paging counts them (Pichay, arXiv 2603.09023): the recorded agent makes a call again whose output a
 * policy has evicted. Recorded steps never change, so a call that only the eviction would have caused is not among them.
 */
import type { HostMessage } from "#pi";
import { isOmitted } from "../policies/placeholders.ts";
import type { ReplyMessage } from "../recording/recording.ts";
import { type Alignment, isFaded } from "./alignment.ts";

export interface Faults {
	/** Outputs that left the request, or were faded. Each counts once. */
	readonly evicted: number;
	/** Calls that repeat one whose output was gone. */
	readonly faults: number;
}

/** Measures the requests of one session in turn: what each evicted, and which of its reply's calls fault. */
export function createFaultMeter() {
	const callKeys = new Map<string, string>();
	const lastOutputs = new Map<string, HostMessage>();
	const evicted = new Set<HostMessage>();
	let read = 0;
	return (history: readonly HostMessage[], { kept }: Alignment, reply: ReplyMessage): Faults => {
		for (const message of history.slice(read)) {
			if (message.role === "assistant") for (const [id, key] of callsOf(message)) callKeys.set(id, key);
			if (message.role === "toolResult") lastOutputs.set(callKeys.get(message.toolCallId) ?? "", message);
		}
		read = history.length;
		const before = evicted.size;
		for (const [index, message] of history.entries()) {
			if (message.role !== "toolResult") continue;
			const left = kept[index];
			if (left === undefined || isOmitted(left) || isFaded(left, message)) evicted.add(message);
			// A policy may bring back what it evicted.
			else evicted.delete(message);
		}
		const outputs = callsOf(reply).map(([, key]) => lastOutputs.get(key));
		const faults = outputs.filter((output) => output !== undefined && evicted.has(output)).length;
		return { evicted: Math.max(0, evicted.size - before), faults };
	};
}

/** The id of each call, and what makes it the same as another. */
function callsOf({ content }: ReplyMessage): readonly (readonly [id: string, key: string])[] {
	return content.flatMap((block) =>
		block.type === "toolCall"
			? [[block.id, `${block.name} ${JSON.stringify(block.arguments)}`] as const]
			: [],
	);
}
