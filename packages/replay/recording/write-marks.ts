/** Writes `delimiter` calls into a session, as if its model had marked these episodes. */
import { DELIMITER } from "#core/annotation";
import type { HostMessage } from "#pi";

/** An episode that a replay marks. */
export interface MarkedEpisode {
	readonly name: string;
	readonly kind: "expl" | "act";
	/** Names of earlier expls; ignored for an expl. */
	readonly dependencies: readonly string[];
	/** Index of the reply whose first call it starts before. */
	readonly first: number;
	/** Index of the reply whose first call it ends before; undefined if nothing ends it. */
	readonly end: number | undefined;
	/** The description that ends an expl. */
	readonly description: string;
}

type Reply = HostMessage & { readonly role: "assistant" };
type Block = Reply["content"][number];
type Call = Block & { readonly type: "toolCall" };

/** The messages with the marks of these episodes. Every mark shares a reply with work, so none costs a request. */
export function writeMarks(
	messages: readonly HostMessage[],
	episodes: readonly MarkedEpisode[],
): readonly HostMessage[] {
	const marks = new Map<number, Call[]>();
	const add = (reply: number, mark: Call) => marks.set(reply, [...(marks.get(reply) ?? []), mark]);
	for (const [index, episode] of episodes.entries()) {
		add(episode.first, markCall(`mark-start-${index + 1}`, startOf(episode)));
		if (episode.end !== undefined) add(episode.end, markCall(`mark-end-${index + 1}`, endOf(episode)));
	}
	return messages.flatMap((message, index) => {
		const own = marks.get(index);
		return own && message.role === "assistant" ? withMarks(message, own.toSorted(endsFirst)) : [message];
	});
}

function startOf({ name, kind, dependencies }: MarkedEpisode): Call["arguments"] {
	return { action: "start", name, type: kind, ...(kind === "act" && { dependencies }) };
}

function endOf({ kind, description }: MarkedEpisode): Call["arguments"] {
	return { action: "end", ...(kind === "expl" && { description }) };
}

function markCall(id: string, args: Call["arguments"]): Call {
	return { type: "toolCall", id, name: DELIMITER, arguments: args };
}

function endsFirst(a: Call, b: Call): number {
	return Number(a.arguments.action === "start") - Number(b.arguments.action === "start");
}

/** The reply with the marks before its first call, and the results that answer them. */
function withMarks(reply: Reply, marks: readonly Call[]): readonly HostMessage[] {
	const first = reply.content.findIndex(({ type }) => type === "toolCall");
	const results = marks.map(
		({ id }): HostMessage => ({
			...{ role: "toolResult", toolCallId: id, toolName: DELIMITER, isError: false },
			...{ content: [{ type: "text", text: "ok" }], timestamp: reply.timestamp },
		}),
	);
	return [{ ...reply, content: reply.content.toSpliced(first, 0, ...marks) }, ...results];
}
