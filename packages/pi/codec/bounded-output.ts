/**
 * One output as it is sent under one rule: whole, or shortened to the user's limit or to its share of the room. Each is shortened
 * once, however many lists of messages hold it.
 */

import { isDeepStrictEqual } from "node:util";
import type { CountTokens } from "#basics";
import { RECALL } from "#core/recall";
import { showsFiles, traitsOf } from "#core/transcript";
import { type OutputRule, outputLimit, shareOf } from "../outputs/output-limits.ts";
import { shortenOutput } from "../outputs/shorten-output.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { contentText, type HostMessage, type ToolResult, toolCallsOf } from "./host-message.ts";
import { messageKey } from "./messages.ts";

type Messages = readonly HostMessage[];

/** An output under one rule and its share of the room, and what is sent of it; undefined if it is sent as it is. */
type Arrival = Record<"whole", ToolResult["content"]> & Record<"sent", ToolResult["content"] | undefined>;

/** Returns the function that gives the message at `index` as it is sent under `rule`; `count` remembers what it has counted. */
export function createOutputBounds(count: CountTokens) {
	/** The key holds limit, share and message. Results of two calls with one id share a name and differ in content. */
	const arrivals = new Map<string, Arrival[]>();
	/** One object for each message that pi hands over, so that it can be recognized. */
	const sent = new WeakMap<HostMessage, ToolResult>();

	function boundedOutput(messages: Messages, index: number, rule: OutputRule): HostMessage | undefined {
		const result = messages[index];
		if (result?.role !== "toolResult") return result;
		// A compaction may leave a late result without its call. It is whole then, as in a process that reads the file again.
		const found = findCall(messages, index, result.toolCallId);
		if (!found) return result;
		const own = ownLimit(rule, found.call);
		const share = shareAt(messages, index, found, rule);
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

	return boundedOutput;
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

/** An unknown tool, such as one of an MCP server, shows a file if it is given one. */
function mayShowFiles({ name, arguments: args }: Found["call"]): boolean {
	const traits = traitsOf(defaultToolTable, name);
	if (!traits) return fileArguments.some((key) => typeof args[key] === "string");
	const calls = traits.callsOf?.(args) ?? [{ tool: name, arguments: args }];
	return calls.some((call) => showsFiles(defaultToolTable, call.tool, call.arguments));
}

const fileArguments = ["path", "file", "file_path", "filePath", "filename"] as const;
