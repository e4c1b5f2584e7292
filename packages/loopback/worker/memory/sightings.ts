/** Everything that a request shows of facts that no file holds, and the way to those that have left it. */

import type { ModelRequest } from "../../model.ts";
import type { Assignment } from "../assignment.ts";
import type { Turn } from "../knowledge.ts";
import { digestPrompt, wordsOf } from "../naming.ts";
import { parseAssignment } from "../phrasing.ts";
import type { Plan } from "../recipe.ts";

export interface Sightings {
	/** All messages and descriptions, in their order. */
	readonly texts: readonly string[];
	/** Names of earlier episodes, acts first: those that delimiters show, and lines for evicted ones. */
	readonly episodes: readonly string[];
	/** The answers of the recalls of this turn by query, page after page; undefined without the tool. */
	readonly recalled: ReadonlyMap<string, readonly string[]> | undefined;
}

export function readSightings({ messages, tools }: ModelRequest, turn: Turn): Sightings {
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

/** The requests that recalled pages hold. */
export function recalledAssignments({ recalled }: Sightings): readonly Assignment[] {
	const pages = [...(recalled?.values() ?? [])].flat();
	return pages.flatMap((page) => page.split("\n")).flatMap((line) => parseAssignment(line) ?? []);
}

/**
 * Asks for the episodes that are named after the subject, each page after page, and then for the subject in words. Gives
 * up if there is no recall or nothing more to ask.
 */
export function planRecall({ episodes, recalled }: Sightings, subject: string): Plan {
	if (!recalled) return { type: "unknown", reason: `nothing that I see tells about ${subject}` };
	const named = episodes.filter((name) => name.includes(`-${wordsOf(subject)}-`));
	for (const query of [...named, subject]) {
		const pages = recalled.get(query) ?? [];
		const hasMore = pages.length === 0 || /, page \d+ goes on\./.test(pages.at(-1)?.split("\n", 1)[0] ?? "");
		if (hasMore) return { type: "recall", query, page: pages.length + 1 };
	}
	return { type: "unknown", reason: `no recall tells about ${subject}` };
}
