/** Everything that the worker knows at a request, taken from the request alone: the task, what it sees of the files, and what was said before. */
import { isDeepStrictEqual } from "node:util";
import type { ModelMessage, ModelRequest } from "../model.ts";
import { parseAssignment } from "./kinds.ts";
import { digestPrompt } from "./naming.ts";
import type { Action } from "./toolbox.ts";
import { contradicts, listExchanges, listSearches, pairCalls, viewFiles } from "./visible.ts";

/** The part of a recipe that selects the visible facts that matter. */
export interface Inquiry {
	/** The identifier or phrase that the task is about. */
	readonly subject: string;
	/** Patterns to search for at the start; each one is valid for grep and for JavaScript. */
	readonly searches?: readonly string[];
	/** A command that follows from the prompt alone, so that it is the same whatever has been evicted. */
	readonly check: { readonly command: string; readonly passes: (output: string) => boolean };
}

/** The next step that the visible facts call for. */
export type Plan =
	/** The place is not known. */
	| { readonly type: "locate" }
	/** The place is known, but its content is not visible. */
	| { readonly type: "inspect"; readonly paths: readonly string[] }
	/** A command has to show more, or a recall of what the session showed once. */
	| { readonly type: "consult"; readonly action: Action }
	/** Nothing within reach tells it. */
	| { readonly type: "unknown"; readonly reason: string }
	| { readonly type: "change"; readonly actions: readonly Action[] }
	/** As far as is visible, everything is right. */
	| { readonly type: "settled" };

export type Past = NonNullable<ReturnType<typeof readPast>>;

/** With what a recipe looks for. */
export type Knowledge = ReturnType<typeof gatherKnowledge>;

/** Marker lines and git status are not requests of the user. */
const NOTE = /^\s*(\[|<|git status\b)/i;
/** A marker line of an evicted episode. */
const MARKER = /^\[(expl|act) "[^"]*"/;

function findTurn(messages: readonly ModelMessage[]) {
	for (const [start, message] of [...messages.entries()].reverse()) {
		const prompt = userLines(message)
			.filter((line) => !NOTE.test(line))
			.join("\n");
		const assignment = parseAssignment(prompt);
		/** `start` is the index of the user message. */
		if (assignment) return { assignment, prompt, start };
	}
	return undefined;
}

/**
 * The current task, which is the last user turn that asks for something, and everything that the request shows besides files.
 * Undefined for a request without a task.
 */
export function readPast({ messages, tools }: ModelRequest) {
	const turn = findTurn(messages);
	if (!turn) return undefined;
	const { start, prompt } = turn;
	const own = `-${digestPrompt(prompt)}-`;
	const marked = messages.flatMap((message) =>
		message.type === "assistant" ? message.calls.map(({ arguments: input }) => input.name) : [],
	);
	const evicted = messages.flatMap(userLines).filter((line) => /^\[.*\bevicted\b/.test(line));
	const named = evicted.flatMap((line) => [...line.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""));
	const episodes = [...marked, ...named].filter(
		(name): name is string => typeof name === "string" && !name.includes(own),
	);
	const isAct = (name: string) => Number(name.startsWith("do-"));
	return {
		...turn,
		/** Number of the next reply within the turn, from 1. */
		step: countSteps(messages, start) + 1,
		exchanges: listExchanges(messages),
		/** The requests before the task, oldest first; one summary may hold several. */
		assignments: messages
			.slice(0, start)
			.flatMap(userLines)
			.flatMap((line) => parseAssignment(line) ?? []),
		/** Lines that the worker wrote since the task began; they outlive their sources. */
		notes: messages.flatMap((message, index) => {
			if (message.type !== "assistant" || index < start)
				return userLines(message).filter((line) => MARKER.test(line) && line.includes(own));
			return [message.text, ...describedIn(message)].flatMap((text) => text.split("\n"));
		}),
		/** All messages and descriptions, in their order. */
		texts: messages.flatMap((message) => [message.text, ...describedIn(message)]),
		/** Names of earlier episodes, acts first: those that delimiters show, and lines for evicted ones. */
		episodes: [...new Set(episodes)].toSorted((a, b) => isAct(b) - isAct(a)),
		/** The answers of the recalls of this turn by query, page after page; undefined without the tool. */
		recalled: tools.some(({ name }) => name === "recall") ? readRecalls(messages, start) : undefined,
	};
}

/** The replies since a message. Earlier ones may be evicted; the number in each tells how many there were. */
export function countSteps(messages: readonly ModelMessage[], since: number): number {
	const replies = messages.slice(since).filter((message) => message.type === "assistant");
	const numbers = replies.map((reply) => Number(/^Step (\d+)[:.]/.exec(reply.text)?.[1] ?? 0));
	return Math.max(replies.length, ...numbers);
}

function readRecalls(messages: readonly ModelMessage[], start: number) {
	const pages = new Map<string, readonly string[]>();
	for (const { call, text, message } of pairCalls(messages)) {
		if (call.name !== "recall" || message < start) continue;
		const query = String(call.arguments.query);
		pages.set(query, [...(pages.get(query) ?? []), text]);
	}
	return pages;
}

/** Returns true if this very action was made after a message, whatever came of it. */
export const isMade = ({ exchanges }: Pick<Past, "exchanges">, since: number, wanted: Action): boolean =>
	exchanges.some(({ action, message }) => message > since && isDeepStrictEqual(action, wanted));

export function gatherKnowledge({ messages }: ModelRequest, past: Past, recipe: Inquiry) {
	const { exchanges, start } = past;
	const inTurn = exchanges.filter(({ message }) => message > start);
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
		...past,
		/** The file contents that can be trusted, from any turn. */
		views: new Map(views),
		/** Searches and hits of this turn. */
		searches,
		hits: searches.flatMap((search) => search.hits),
		/** Files changed in this turn, with the index of the message that changed them last. */
		changed,
		/** True if the check of this turn passed after the last change. */
		passed: last?.passed === true && last.message > Math.max(-1, ...changed.values()),
		/** Paths that a note on an earlier episode names together with the subject. */
		remembered: listRemembered(messages, recipe.subject),
	};
}

/** The descriptions of episodes that a message gives. */
const describedIn = (message: ModelMessage): readonly string[] =>
	message.type !== "assistant"
		? []
		: message.calls.flatMap(({ arguments: { description } }) =>
				typeof description === "string" ? [description] : [],
			);

const userLines = (message: ModelMessage): readonly string[] =>
	message.type === "user" ? message.text.split("\n") : [];

/** Descriptions of earlier episodes name the places of a subject, and may outlive the content. */
function listRemembered(messages: readonly ModelMessage[], subject: string): readonly string[] {
	const paths = messages
		.flatMap((message) => [...userLines(message).filter((line) => NOTE.test(line)), ...describedIn(message)])
		.filter((note) => note.includes(subject))
		.flatMap((note) => [...note.matchAll(/\b[\w.-]+(?:\/[\w.-]+)+\.\w+\b/g)].map((match) => match[0]));
	return [...new Set(paths)];
}

/** The latest match of a pattern in some texts, such as the notes or everything shown. */
export function findLatest(texts: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
	return texts.map((text) => pattern.exec(text)).findLast((match) => match !== null) ?? undefined;
}

/** Prefers a search of this turn; without one, trusts only files seen in this turn. */
export function findPlace(known: Knowledge, place: RegExp): string | undefined {
	const hit = known.hits.find(({ text }) => place.test(text));
	if (hit) return hit.path;
	return [...known.views].find(([, view]) => view.message > known.start && place.test(view.text))?.[0];
}
