/** Everything that the worker knows at a request, taken from the request alone: the task, what it sees of the files, and what was said before. */
import type { ModelRequest } from "../model.ts";
import { digestPrompt } from "./naming.ts";
import { type Assignment, parseAssignment } from "./phrasing.ts";
import {
	contradicts,
	type Exchange,
	type FileView,
	type Hit,
	listExchanges,
	listSearches,
	type Search,
	viewFiles,
} from "./visible.ts";

/** A command that follows from the prompt alone, so that it is the same whatever has been evicted. */
export interface Check {
	readonly command: string;
	readonly passes: (output: string) => boolean;
}

/** The part of a recipe that selects the visible facts that matter. */
export interface Inquiry {
	/** The identifier or phrase that the task is about. */
	readonly subject: string;
	/** Patterns to search for at the start; each one is valid for grep and for JavaScript. */
	readonly searches?: readonly string[];
	readonly check: Check;
}

/** The current task: the last user turn that asks for something. */
export interface Turn {
	readonly assignment: Assignment;
	readonly prompt: string;
	/** Index of the user message. */
	readonly message: number;
	/** Number of the next reply within the turn, from 1. */
	readonly step: number;
}

export interface Knowledge {
	readonly turn: Turn;
	readonly exchanges: readonly Exchange[];
	/** The file contents that can be trusted, from any turn. */
	readonly views: ReadonlyMap<string, FileView>;
	/** Searches and hits of this turn. */
	readonly searches: readonly Search[];
	readonly hits: readonly Hit[];
	/** Files changed in this turn, with the index of the message that changed them last. */
	readonly changed: ReadonlyMap<string, number>;
	/** True if the check of this turn passed after the last change. */
	readonly passed: boolean;
	/** Paths that a note on an earlier episode names together with the subject. */
	readonly remembered: readonly string[];
}

/** Marker lines and git status are not requests of the user. */
const NOTE = /^\s*(\[|<|git status\b)/i;

export function findTurn(request: ModelRequest): Turn | undefined {
	const { messages } = request;
	for (let index = messages.length - 1; index >= 0; index -= 1) {
		const message = messages[index];
		if (message?.type !== "user") continue;
		const prompt = message.text
			.split("\n")
			.filter((line) => !NOTE.test(line))
			.join("\n");
		const assignment = parseAssignment(prompt);
		if (assignment) return { assignment, prompt, message: index, step: countSteps(request, index) + 1 };
	}
	return undefined;
}

/** The replies since a message. Earlier ones may be evicted; the number in each tells how many there were. */
export function countSteps({ messages }: ModelRequest, since: number): number {
	const replies = messages.slice(since).filter((message) => message.type === "assistant");
	const numbers = replies.map((reply) => Number(/^Step (\d+)[:.]/.exec(reply.text)?.[1] ?? 0));
	return Math.max(replies.length, ...numbers);
}

/** Returns true if such a command ran after a message. */
export function ranSince(
	{ exchanges }: Pick<Knowledge, "exchanges">,
	since: number,
	matches: (command: string) => boolean,
): boolean {
	return exchanges.some(
		({ action, message }) => message > since && action?.type === "run" && matches(action.command),
	);
}

export function gatherKnowledge(request: ModelRequest, turn: Turn, recipe: Inquiry): Knowledge {
	const exchanges = listExchanges(request.messages);
	const inTurn = exchanges.filter((exchange) => exchange.message > turn.message);
	const checks = inTurn.flatMap(({ action, message, text, isError }) =>
		action?.type === "run" && action.command === recipe.check.command
			? [{ message, passed: !isError && recipe.check.passes(text) }]
			: [],
	);
	/** Everything that was known when a check failed is in doubt. */
	const since = checks.findLast((check) => !check.passed)?.message ?? -1;
	const searches = listSearches(inTurn).filter(
		({ message, pattern }) => message > since && recipe.searches?.includes(pattern),
	);
	const views = [...viewFiles(exchanges)].filter(
		([path, view]) => view.message > since && !searches.some((search) => contradicts(search, path, view)),
	);
	const changed = new Map(
		inTurn.flatMap(({ action, message, isError }) =>
			!isError && (action?.type === "change" || action?.type === "write") ? [[action.path, message]] : [],
		),
	);
	const last = checks.at(-1);
	return {
		turn,
		exchanges,
		views: new Map(views),
		searches,
		hits: searches.flatMap((search) => search.hits),
		changed,
		passed: last?.passed === true && last.message > Math.max(-1, ...changed.values()),
		remembered: listRemembered(request, recipe.subject),
	};
}

/** Descriptions of earlier episodes name the places of a subject, and may outlive the content. */
function listRemembered(request: ModelRequest, subject: string): readonly string[] {
	const notes = request.messages.flatMap((message) => {
		if (message.type === "user") return message.text.split("\n").filter((line) => NOTE.test(line));
		if (message.type !== "assistant") return [];
		return message.calls.map((call) =>
			typeof call.arguments.description === "string" ? call.arguments.description : "",
		);
	});
	const paths = notes
		.filter((note) => note.includes(subject))
		.flatMap((note) => [...note.matchAll(/\b[\w.-]+(?:\/[\w.-]+)+\.\w+\b/g)].map((match) => match[0]));
	return [...new Set(paths)];
}

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
