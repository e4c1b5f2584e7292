/** Where turns and episodes of a session end. */
import type { Episode, Graph } from "#core/graph";
import type { Item } from "#core/transcript";

/** Returns true if one of the items is a tool call. */
export const hasCall = (items: readonly Item[]) => items.some(({ type }) => type === "call");

/** Returns true for each message whose turn ends with an answer that says something and calls nothing. */
export function answeredTurns(messages: Graph["messages"]): readonly boolean[] {
	const answered: boolean[] = [];
	let isAnswered: boolean | undefined;
	for (let at = messages.length - 1; at >= 0; at -= 1) {
		const { author, items } = messages[at] ?? { author: "host", items: [] };
		isAnswered ??= items.some((item) => item.type === "text" && !item.isBlank) && !hasCall(items);
		answered[at] = isAnswered;
		if (author === "user") isAnswered = undefined;
	}
	return answered;
}

/** The episodes that are over: the closed ones, and unmarked work once the agent has answered. */
export function finishedEpisodes({ episodes, messages }: Pick<Graph, "episodes" | "messages">) {
	const isAnswered = answeredTurns(messages);
	const isOver = ({ origin, state, items }: Episode) =>
		origin === "declared" ? state === "closed" : isAnswered[items.at(-1)?.message ?? 0];
	return episodes.filter(isOver);
}
