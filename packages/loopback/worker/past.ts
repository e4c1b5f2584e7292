/** The visible facts from before a task, and the worker's own notes since. */

import type { ModelRequest } from "../model.ts";
import type { Assignment } from "./assignment.ts";
import { type Exchange, listExchanges } from "./exchanges.ts";
import type { Turn } from "./knowledge.ts";
import { readSightings, type Sightings } from "./memory/sightings.ts";
import { digestPrompt } from "./naming.ts";
import { parseAssignment } from "./phrasing.ts";

export interface Past {
	/** The requests before the task, oldest first; one summary may hold several. */
	readonly assignments: readonly Assignment[];
	/** The exchanges of the task so far. */
	readonly exchanges: readonly Exchange[];
	/** Lines that the worker wrote since the task began; they outlive their sources. */
	readonly notes: readonly string[];
	/** Everything that the request shows, for facts that no file holds. */
	readonly sightings: Sightings;
}

/** A marker line of an evicted episode. */
const MARKER = /^\[(expl|act) "[^"]*"/;

export function readPast(request: ModelRequest, turn: Turn): Past {
	const assignments = request.messages.slice(0, turn.message).flatMap((message) => {
		if (message.type !== "user") return [];
		return message.text.split("\n").flatMap((line) => parseAssignment(line) ?? []);
	});
	const exchanges = listExchanges(request.messages).filter(({ message }) => message > turn.message);
	return { assignments, exchanges, notes: readNotes(request, turn), sightings: readSightings(request, turn) };
}

function readNotes(request: ModelRequest, turn: Turn): readonly string[] {
	const own = `-${digestPrompt(turn.prompt)}-`;
	return request.messages.flatMap((message, index) => {
		if (message.type === "user") {
			return message.text.split("\n").filter((line) => MARKER.test(line) && line.includes(own));
		}
		if (message.type !== "assistant" || index < turn.message) return [];
		const described = message.calls.map((call) => call.arguments.description);
		const texts = [message.text, ...described.filter((text) => typeof text === "string")];
		return texts.flatMap((text) => text.split("\n"));
	});
}

/** The latest note that matches. */
export function findNote({ notes }: Past, pattern: RegExp): RegExpExecArray | undefined {
	return notes.map((note) => pattern.exec(note)).findLast((match) => match !== null) ?? undefined;
}
