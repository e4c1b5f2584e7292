/** Many sessions joined into one long session: the paper's protocol (one session for all tasks) on recorded work. */
import type { RecordedSession } from "../readers/session-reader.ts";

/** `folder`: the sessions of each folder become one. `all`: all of them do. */
export const chainings = ["folder", "all"] as const;

export type Chaining = (typeof chainings)[number];

/**
 * Join sessions in order of time, each as a whole, by its first message. Where two overlap, time goes back at the
 * seam; nothing tells the model that one ended and another began but its first user turn.
 */
export function chainSessions(sessions: readonly RecordedSession[], name: string): RecordedSession {
	const inTime = sessions.toSorted((a, b) => startOf(a) - startOf(b) || (a.path < b.path ? -1 : 1));
	return {
		path: name,
		name,
		format: [...new Set(inTime.map(({ format }) => format))].join("+"),
		messages: inTime.flatMap(({ messages }) => messages),
		damage: inTime.flatMap(({ damage }) => damage),
		summaries: inTime.flatMap(({ summaries = [] }, place) => {
			const before = inTime.slice(0, place).reduce((count, { messages }) => count + messages.length, 0);
			return summaries.map((summary) => ({ ...summary, position: before + summary.position }));
		}),
	};
}

function startOf({ messages }: RecordedSession): number {
	return messages[0]?.timestamp ?? 0;
}
