/** The facts that a request shows from before a task, and the worker's own notes since. */
import type { ModelRequest } from "../model.ts";
import type { Assignment } from "./assignment.ts";
import type { Turn } from "./knowledge.ts";
import { digestPrompt } from "./naming.ts";
import { parseAssignment } from "./phrasing.ts";
import { type Exchange, listExchanges } from "./visible.ts";

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

export interface Sightings {
	/** All messages and descriptions, in their order. */
	readonly texts: readonly string[];
	/** Names of earlier episodes, acts first: those that delimiters show, and lines for evicted ones. */
	readonly episodes: readonly string[];
	/** The answers of the recalls of this turn by query, page after page; undefined without the tool. */
	readonly recalled: ReadonlyMap<string, readonly string[]> | undefined;
}

function readSightings({ messages, tools }: ModelRequest, turn: Turn): Sightings {
	const texts = messages.flatMap((message): readonly string[] => {
		if (message.type !== "assistant") return [message.text];
		return [message.text, ...message.calls.flatMap(describe)];
	});
	const marked = messages.flatMap((message) =>
		message.type === "assistant" ? message.calls.map(({ arguments: input }) => input.name) : [],
	);
	const lines = messages.flatMap((message) => (message.type === "user" ? message.text.split("\n") : []));
	const named = lines.filter((line) => /^\[.*\bevicted\b/.test(line)).flatMap(quotedIn);
	const own = `-${digestPrompt(turn.prompt)}-`;
	const episodes = [...marked, ...named].filter(
		(name): name is string => typeof name === "string" && !name.includes(own),
	);
	return {
		texts,
		episodes: [...new Set(episodes)].toSorted((a, b) => Number(isAct(b)) - Number(isAct(a))),
		recalled: tools.some(({ name }) => name === "recall") ? readRecalls(messages, turn) : undefined,
	};
}

const describe = ({ arguments: input }: { readonly arguments: Readonly<Record<string, unknown>> }) =>
	typeof input.description === "string" ? [input.description] : [];

const quotedIn = (line: string): readonly string[] =>
	[...line.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");

const isAct = (name: string): boolean => name.startsWith("do-");

function readRecalls(messages: ModelRequest["messages"], turn: Turn): ReadonlyMap<string, readonly string[]> {
	const results = new Map(
		messages.flatMap((message) =>
			message.type === "result" ? [[message.callId, message.text] as const] : [],
		),
	);
	const pages = new Map<string, string[]>();
	for (const message of messages.slice(turn.message)) {
		if (message.type !== "assistant") continue;
		for (const { id, name, arguments: input } of message.calls) {
			const text = results.get(id);
			if (name !== "recall" || text === undefined) continue;
			const query = String(input.query);
			pages.set(query, [...(pages.get(query) ?? []), text]);
		}
	}
	return pages;
}

/** The newest match in what the request shows. */
export function findShown({ texts }: Sightings, pattern: RegExp): RegExpExecArray | undefined {
	return texts.map((text) => pattern.exec(text)).findLast((match) => match !== null) ?? undefined;
}
