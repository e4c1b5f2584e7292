/** Tells apart content that the model recalled once from content that it recalled again. */
import type { Graph } from "../graph/graph.ts";
import { recallQuery } from "../history/history.ts";
import type { ToolCall } from "../transcript/transcript.ts";
import { RECALL } from "./recall.ts";

/** `again`: the newest copy of content that was recalled more than once. `once`: every other copy. */
type Recalled = "once" | "again";

/** Classifies the recalls of a session, those whose results were evicted included. */
export function readRecalls({ history: { recalls } }: Graph): (call: ToolCall) => Recalled | undefined {
	return (call) => {
		if (call.tool !== RECALL) return undefined;
		const asked = recalls.get(recallQuery(call)) ?? [];
		return asked.length > 1 && asked.at(-1)?.id === call.id ? "again" : "once";
	};
}
