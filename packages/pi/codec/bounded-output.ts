/**
 * One output as it is sent under one rule: whole, or shortened to the user's limit or to its share of the room. A text is
 * shortened once, however many lists of messages hold it.
 */

import { isDeepStrictEqual } from "node:util";
import { type CountTokens, fnv1a } from "#basics";
import { RECALL } from "#core/recall";
import { showsFiles, traitsOf } from "#core/transcript";
import { type OutputRule, outputLimit, shareOf } from "../outputs/output-limits.ts";
import { shortenOutput } from "../outputs/shorten-output.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { contentText, type HostMessage, type ToolResult, toolCallsOf } from "./host-message.ts";

type Messages = readonly HostMessage[];

/** Returns the function that gives the message at `index` as it is sent under `rule`; `count` remembers what it has counted. */
export function createOutputBounds(count: CountTokens) {
	/** Shortened texts by limit, call and whole text. */
	const texts = new Map<string, string>();
	/** One object for each message that pi hands over, so that it can be recognized. */
	const sent = new WeakMap<HostMessage, { readonly limits: string; readonly message: ToolResult }>();

	function boundedOutput(messages: Messages, index: number, rule: OutputRule): HostMessage | undefined {
		const result = messages[index];
		if (result?.role !== "toolResult") return result;
		// A compaction may leave a late result without its call. It is whole then, as in a process that reads the file again.
		const found = findCall(messages, index, result.toolCallId);
		if (!found) return result;
		const own = ownLimit(rule, found.call);
		const share = shareAt(messages, index, found, rule);
		const limits = `${own} ${share}`;
		const earlier = sent.get(result);
		if (earlier?.limits === limits) return earlier.message;
		const content = result.content.map((block) => {
			if (block.type !== "text") return block;
			const limit = share < own && count(block.text) > share ? share : own;
			return limit === Infinity ? block : { ...block, text: shorten(block.text, limit, found) };
		});
		const message = isDeepStrictEqual(content, result.content) ? result : { ...result, content };
		sent.set(result, { limits, message });
		return message;
	}

	function shorten(text: string, limit: number, { call, said }: Found): string {
		const words = `${said}\n${JSON.stringify(call.arguments)}`;
		const name = [limit, call.id, fnv1a(words), text.length, fnv1a(text)].join(" ");
		const short = texts.get(name) ?? shortenOutput(text, limit, { callId: call.id, words }, count);
		texts.set(name, short);
		return short;
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
