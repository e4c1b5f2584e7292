/**
 * Large outputs as they are sent: shortened from the first request on, and the same in every request after it. The
 * session file and recall keep the whole output. The user's limits leave files that a call shows alone; what cannot
 * fit into a request is shortened whatever it shows. Recalls and what the user ran are never shortened.
 */
import { isDeepStrictEqual } from "node:util";
import { RECALL } from "#core/recall";
import { showsFiles, traitsOf } from "#core/transcript";
import {
	noOutputLimits,
	type OutputLimits,
	type OutputRule,
	outputLimit,
	roomIn,
	shareOf,
} from "../outputs/output-limits.ts";
import { shortenOutput } from "../outputs/shorten-output.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import {
	contentText,
	type HostMessage,
	hasFailed,
	isAnswer,
	type ToolResult,
	toolCallsOf,
} from "./host-message.ts";
import { createNames, messageKey } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

type Messages = readonly HostMessage[];

/** An output under one rule and its share of the room, and what is sent of it; undefined if it is sent as it is. */
type Arrival = Record<"whole", ToolResult["content"]> & Record<"sent", ToolResult["content"] | undefined>;

/** `count` remembers what it has counted; `kept` holds the rules of the session's branch, oldest first. */
export function createArrivals(count: CountTokens, kept: readonly OutputRule[] = []) {
	let rules = kept;
	/** By limit, share and message. Results of two calls with one id share a name and differ in content. */
	const arrivals = new Map<string, Arrival[]>();
	/** One object for each message that pi hands over, so that it can be recognized. */
	const sent = new WeakMap<HostMessage, ToolResult>();

	function put(messages: Messages, index: number, rule: OutputRule): HostMessage | undefined {
		const result = messages[index];
		if (result?.role !== "toolResult") return result;
		// A compaction may leave a late result without its call. It is whole then, as in a process that reads the file again.
		const found = findCall(messages, index, result.toolCallId);
		if (!found) return result;
		const [own, share] = [ownLimit(rule, found.call), shareAt(messages, index, found, rule)];
		if (own === Infinity && share === Infinity) return result;
		const name = `${own} ${share} ${messageKey(result)}`;
		const known = arrivals.get(name) ?? [];
		let arrival = known.find(({ whole }) => isDeepStrictEqual(whole, result.content));
		if (!arrival) {
			arrival = { whole: result.content, sent: shorten(result, found, own, share) };
			arrivals.set(name, [...known, arrival]);
		}
		if (!arrival.sent) return result;
		const earlier = sent.get(result);
		if (earlier?.content === arrival.sent) return earlier;
		const message = { ...result, content: arrival.sent };
		sent.set(result, message);
		return message;
	}

	/** The tokens that the user's limits leave a text of a call's output; Infinity without one. */
	function ownLimit({ limits }: OutputRule, call: Found["call"]): number {
		const limit = outputLimit(limits, call.name);
		return limit > 0 && !mayShowFiles(call) ? limit : Infinity;
	}

	/** The tokens that each text of an answer's outputs may have so that all of them fit; Infinity if they do. */
	function shareAt(messages: Messages, index: number, { at, calls, call }: Found, rule: OutputRule): number {
		if (rule.room === undefined || call.name === RECALL) return Infinity;
		const next = messages.slice(index).findIndex(({ role }) => role === "assistant");
		const texts = messages.slice(at + 1, next < 0 ? undefined : index + next).flatMap((message) => {
			const own = message.role === "toolResult" && calls.find(({ id }) => id === message.toolCallId);
			return own
				? message.content.flatMap((block) => (block.type === "text" ? [{ own, text: block.text }] : []))
				: [];
		});
		// Texts with fewer characters than tokens are rare enough to pass.
		if (texts.reduce((sum, { text }) => sum + text.length, 0) <= rule.room) return Infinity;
		const bounded = texts.map(({ own, text }) => Math.min(count(text), ownLimit(rule, own)));
		return shareOf(rule.room, bounded);
	}

	function shorten({ content, toolCallId }: ToolResult, { call, said }: Found, own: number, share: number) {
		const words = `${said}\n${JSON.stringify(call.arguments)}`;
		const short = content.map((block) => {
			if (block.type !== "text") return block;
			const limit = share < own && count(block.text) > share ? share : own;
			if (limit === Infinity) return block;
			const text = shortenOutput(block.text, limit, { callId: toolCallId, words }, count);
			return text === block.text ? block : { ...block, text };
		});
		return short.every((block, at) => block === content[at]) ? undefined : short;
	}

	return {
		/**
		 * Any list of the session's messages with its outputs as they are sent; the same list if none is shortened. Each output
		 * is shortened once, however many lists hold it.
		 */
		asSent(messages: Messages): Messages {
			if (rules.every(shortensNothing)) return messages;
			const names = rules.some(({ after }) => after !== "") ? namesOf(messages) : [];
			// A compaction takes the oldest messages: a rule whose message is gone holds for all that is left.
			const starts = rules.map(({ after }) => names.indexOf(after));
			const shown = messages.map((message, index) => {
				const rule = rules[starts.findLastIndex((start) => start < index)];
				return (rule && put(messages, index, rule)) ?? message;
			});
			return shown.every((message, index) => message === messages[index]) ? messages : shown;
		},
		/**
		 * Puts new limits into force with a request that begins a turn of the user; inside a turn they wait for the next one.
		 * They hold for outputs that come after the last answer. `readFree` is asked then for the tokens that outputs may
		 * take. Returns the rule to keep in the session; undefined if there is nothing new.
		 */
		admit(
			messages: Messages,
			limits: OutputLimits,
			readFree: () => number | undefined = () => undefined,
		): OutputRule | undefined {
			// The host forgets an answer that failed when it tries again.
			const answer = messages.findLastIndex((message) => isAnswer(message) && !hasFailed(message));
			// What has come since may have been sent. And not all of it is in the session file yet, which may be forked here.
			if (messages.slice(answer + 1).some(({ role }) => role === "toolResult")) return undefined;
			const free = readFree();
			const inForce = rules.at(-1) ?? { limits: noOutputLimits, room: undefined };
			const room = free === undefined ? undefined : roomIn(free, inForce.room);
			if (isDeepStrictEqual(inForce.limits, limits) && inForce.room === room) return undefined;
			const after = namesOf(messages)[answer] ?? "";
			const rule = { after, limits, ...(room !== undefined && { room }) };
			rules = [...rules, rule];
			return rule;
		},
	};
}

function shortensNothing({ limits, room }: OutputRule): boolean {
	return room === undefined && Object.values(limits).every((limit) => limit === 0);
}

/** Names that tell the messages of one list apart. */
function namesOf(messages: Messages): readonly string[] {
	const nameOf = createNames();
	return messages.map((message) => nameOf(messageKey(message)));
}

type Found = NonNullable<ReturnType<typeof findCall>>;

/** The call that a result answers, the nearest one before it with its id; the place of its answer, all its calls and its words. */
function findCall(messages: readonly HostMessage[], index: number, callId: string) {
	for (let at = index - 1; at >= 0; at -= 1) {
		const message = messages[at];
		if (message?.role !== "assistant") continue;
		const calls = toolCallsOf(message);
		const call = calls.find(({ id }) => id === callId);
		if (!call) continue;
		return { at, calls, call, said: contentText(message.content.filter((block) => block.type === "text")) };
	}
	return undefined;
}

/** A tool that nobody knows, such as one of an MCP server, shows a file if it is given one. */
function mayShowFiles({ name, arguments: args }: Found["call"]): boolean {
	const traits = traitsOf(defaultToolTable, name);
	if (!traits) return fileArguments.some((key) => typeof args[key] === "string");
	const calls = traits.callsOf?.(args) ?? [{ tool: name, arguments: args }];
	return calls.some((call) => showsFiles(defaultToolTable, call.tool, call.arguments));
}

const fileArguments = ["path", "file", "file_path", "filePath", "filename"] as const;
