/** What the model brought back by recall, and whether it asked for the same again. */
import type { Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import type { ToolCall } from "../transcript/transcript.ts";
import { RECALL } from "./recall.ts";

/** `again`: the newest copy of what was asked for more than once. `once`: every other copy. */
type Recalled = "once" | "again";

/** The recalls of a session by what they asked for. */
const readQueries = createIncrementalFold<Map<string, ToolCall[]>>(
	() => new Map(),
	(byQuery, { items }) => {
		for (const item of items) {
			if (item.type !== "call" || item.tool !== RECALL) continue;
			const query = queryOf(item);
			const asked = byQuery.get(query);
			if (asked) asked.push(item);
			else byQuery.set(query, [item]);
		}
	},
);

/** Tells recalls of a session apart, those whose results have left included. Linear in what is new. */
export function readRecalls({ messages }: Graph): (call: ToolCall) => Recalled | undefined {
	const byQuery = readQueries(messages);
	return (call) => {
		if (call.tool !== RECALL) return undefined;
		const asked = byQuery.get(queryOf(call)) ?? [];
		return asked.length > 1 && asked.at(-1)?.id === call.id ? "again" : "once";
	};
}

/** Each page of an answer is a thing of its own. */
function queryOf({ arguments: { query, page } }: ToolCall): string {
	const words = typeof query === "string" ? query.trim().toLowerCase() : "";
	return JSON.stringify([words, page ?? 1]);
}
