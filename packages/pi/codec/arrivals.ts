/**
 * Large outputs as they are sent: shortened from the first request on, and the same in every request after it. The
 * session file and recall keep the whole output. Files that a call shows are never shortened, nor what the user
 * ran.
 */
import { showsFiles, type ToolTable, traitsOf } from "#core/transcript";
import { noOutputLimits, type OutputLimits, type OutputRule, outputLimit } from "../outputs/output-limits.ts";
import { shortenOutput } from "../outputs/shorten-output.ts";
import { createNamedList } from "./followed-list.ts";
import {
	contentText,
	type HostMessage,
	isAnswer,
	isRefused,
	type ToolResult,
	toolCallsOf,
} from "./host-message.ts";
import { fingerprint } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

type Messages = readonly HostMessage[];

export interface Arrivals {
	/**
	 * The messages of the next request with their outputs as they are sent; the same list if none is shortened. Costs time
	 * for what is new: nobody looks whether earlier messages of other kinds have changed.
	 */
	asSent(messages: Messages): Messages;
	/** The same for another list of the session's messages; changes nothing in what the next request continues. */
	asPreviewed(messages: Messages): Messages;
	/** The same for any list, read from its beginning. */
	asInspected(messages: Messages): Messages;
	/**
	 * Puts new limits into force with a request that begins a turn of the user; inside a turn they wait for the next one.
	 * They hold for outputs that come after the last answer. Returns the rule to keep in the session; undefined if there
	 * is nothing new.
	 */
	admit(messages: Messages, limits: OutputLimits): OutputRule | undefined;
}

/** `kept` holds the rules of the session's branch, oldest first. */
export function createArrivals(
	count: CountTokens,
	tools: ToolTable,
	kept: readonly OutputRule[] = [],
): Arrivals {
	let rules = kept;
	const shorten = createOutputShortener(count, tools);
	const create = () => createBoundedList(shorten, () => rules);
	const next = create();
	const previewed = create();

	function read(messages: Messages, list = create()): Messages {
		if (rules.length === 0) return messages;
		list.follow(messages);
		return list.bound(messages);
	}

	return {
		asSent(messages) {
			if (rules.length === 0) return messages;
			next.follow(messages, next.shortenedPlaces());
			return next.bound(messages);
		},
		asPreviewed: (messages) => read(messages, previewed),
		asInspected: (messages) => read(messages),
		admit(messages, limits) {
			const inForce = rules.at(-1)?.limits ?? noOutputLimits;
			if (JSON.stringify(inForce) === JSON.stringify(limits)) return undefined;
			const answer = messages.findLastIndex((message) => isAnswer(message) && isWhole(message));
			// What has come since may have been sent. And not all of it is in the session file yet, which may be forked here.
			if (messages.slice(answer + 1).some(({ role }) => role === "toolResult")) return undefined;
			next.follow(messages);
			const rule = { after: next.nameAt(answer), limits };
			rules = [...rules, rule];
			return rule;
		},
	};
}

/** The host forgets an answer that failed when it tries again. */
function isWhole(answer: Parameters<typeof isRefused>[0]): boolean {
	return !isRefused(answer) && answer.stopReason !== "aborted";
}

function createBoundedList(shorten: OutputShortener, rules: () => readonly OutputRule[]) {
	const places = new Map<string, number>();
	const names: string[] = [];
	const shortened = new Map<number, OutputContent>();
	const sent = new WeakMap<HostMessage, ToolResult>();
	const list = createNamedList((_message, index, name) => {
		places.set(name, index);
		names.push(name);
	});

	function forget() {
		list.cut(0);
		places.clear();
		names.length = 0;
		shortened.clear();
	}

	/** A compaction takes the oldest messages: a rule whose message is gone holds for all that is left. */
	function limitsAt(index: number): OutputLimits {
		return rules().findLast(({ after }) => (places.get(after) ?? -1) < index)?.limits ?? noOutputLimits;
	}

	/** One object for each message that pi hands over, so that it can be recognized. */
	function put(from: HostMessage, content: OutputContent): HostMessage {
		if (from.role !== "toolResult") return from;
		const known = sent.get(from);
		if (known?.content === content) return known;
		const message = { ...from, content };
		sent.set(from, message);
		return message;
	}

	return {
		/** Reads on to the end of a list; a list that differs from the previous one is read from its beginning. */
		follow(messages: Messages, marks?: readonly { readonly message: number }[]) {
			if (list.countSame(messages, marks) < list.length()) forget();
			const start = list.length();
			for (const message of messages.slice(start)) list.append(message);
			for (let index = start; index < messages.length; index += 1) {
				const content = shorten(messages, index, limitsAt(index));
				if (content) shortened.set(index, content);
			}
		},
		/** The list that was read, with its outputs as they are sent. */
		bound(messages: Messages): Messages {
			if (shortened.size === 0) return messages;
			return messages.map((message, index) => {
				const content = shortened.get(index);
				return content ? put(message, content) : message;
			});
		},
		nameAt: (index: number) => names[index] ?? "",
		shortenedPlaces: () => [...shortened.keys()].map((message) => ({ message })),
	};
}

export type OutputContent = ToolResult["content"];

/** The content of the output at this place as it is sent under these limits; undefined if it is sent as it is. */
export type OutputShortener = (
	messages: readonly HostMessage[],
	index: number,
	limits: OutputLimits,
) => OutputContent | undefined;

/** Shortens each output once, however many lists hold it. */
function createOutputShortener(count: CountTokens, tools: ToolTable): OutputShortener {
	const known = new Map<string, OutputContent | undefined>();

	function shorten({ content, toolCallId }: ToolResult, { call, said }: Found, limit: number) {
		const words = `${said}\n${JSON.stringify(call.arguments)}`;
		const short = content.map((block) => {
			if (block.type !== "text") return block;
			const text = shortenOutput(block.text, limit, { callId: toolCallId, words }, count);
			return text === block.text ? block : { ...block, text };
		});
		return short.every((block, at) => block === content[at]) ? undefined : short;
	}

	return (messages, index, limits) => {
		const result = messages[index];
		const found = result?.role === "toolResult" && findCall(messages, index, result.toolCallId);
		if (!found) return undefined;
		const limit = outputLimit(limits, found.call.name);
		if (limit === 0 || mayShowFiles(tools, found.call)) return undefined;
		const name = `${limit} ${fingerprint(result)}`;
		if (known.has(name)) return known.get(name);
		const content = shorten(result, found, limit);
		known.set(name, content);
		return content;
	};
}

interface Found {
	readonly call: ReturnType<typeof toolCallsOf>[number];
	/** The words of the answer that made the call. */
	readonly said: string;
}

/** The call that a result answers: the nearest one before it with its id. */
function findCall(messages: readonly HostMessage[], index: number, callId: string): Found | undefined {
	for (let at = index - 1; at >= 0; at -= 1) {
		const message = messages[at];
		if (message?.role !== "assistant") continue;
		const call = toolCallsOf(message).find(({ id }) => id === callId);
		if (call) return { call, said: contentText(message.content.filter((block) => block.type === "text")) };
	}
	return undefined;
}

/** A tool that nobody knows, such as one of an MCP server, shows a file if it is given one. */
function mayShowFiles(tools: ToolTable, { name, arguments: args }: Found["call"]): boolean {
	const traits = traitsOf(tools, name);
	if (!traits) return fileArguments.some((key) => typeof args[key] === "string");
	const calls = traits.callsOf?.(args) ?? [{ tool: name, arguments: args }];
	return calls.some((call) => showsFiles(tools, call.tool, call.arguments));
}

const fileArguments = ["path", "file", "file_path", "filePath", "filename"] as const;
