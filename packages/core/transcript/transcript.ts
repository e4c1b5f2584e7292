/**
 * The neutral record of a session: what core knows of the host's messages.
 * Every item is counted once, when it is first seen; its token count never changes afterwards.
 */
import { sum, type UnknownRecord } from "#basics";
import { fileKey, pathArgument } from "./names.ts";

/** Stable over resume, fork and reload: made from the host's own ids and timestamps, never from positions. */
export type ItemId = string;

/**
 * The facts that a policy may know of a text that it does not hold. The host makes it once, when it first reads the
 * item.
 */
export interface Digest {
	/** A hash of each line that is long enough to tell it from others, in the order of the text. */
	readonly lines: readonly number[];
	/** The first files that the text names, each once; of a call, those that it works on. */
	readonly paths: readonly string[];
	/** The lines of files that a call asks to see; absent if it names no range. */
	readonly views?: readonly FileView[];
}

/** Lines of a file, from 1; the last one is Infinity for a view up to the end. */
export interface FileView {
	/** Same form as in the paths of a digest. */
	readonly path: string;
	readonly first: number;
	readonly last: number;
}

interface ItemBase {
	readonly id: ItemId;
	/** Index of the message in the transcript. */
	readonly message: number;
	/** Size on the wire in tokens, framing included, so never 0. */
	readonly tokens: number;
}

/** Written by a person: a user turn, `!` shell output, an expanded template. Never evicted. */
export interface UserItem extends ItemBase {
	readonly type: "user";
}

/** Said by the host or an extension on its own account: git status, reminders. */
export interface Note extends ItemBase {
	readonly type: "note";
}

export interface Text extends ItemBase {
	readonly type: "text";
	/** The text is empty or white space: it leaves with the calls next to it. */
	readonly isBlank?: true;
	/** The statements of the text, as `findingsIn` returns them; absent if there are none or the host does not look. */
	readonly findings?: string;
}

export interface Reasoning extends ItemBase {
	readonly type: "reasoning";
	/** The host leaves it out of what it sends back. */
	readonly isBlank?: true;
	/** The part of `tokens` that is estimated from the length of content that only the provider can read; absent for none. */
	readonly sealed?: number;
	/** The model that signed or sealed it, as the host names models: hosts send it to no other one. Absent if the host does not say. */
	readonly sealedBy?: string;
}

export interface ToolCall extends ItemBase {
	readonly type: "call";
	readonly callId: string;
	readonly tool: string;
	readonly arguments: UnknownRecord;
	readonly digest?: Digest | (() => Digest);
}

export interface ToolResult extends ItemBase {
	readonly type: "result";
	readonly callId: string;
	readonly isError: boolean;
	readonly digest?: Digest | (() => Digest);
}

export type Item = UserItem | Note | Text | Reasoning | ToolCall | ToolResult;

/** One host message. A model message has one item for each content block; every other message has one item or none. */
export interface TranscriptMessage {
	readonly author: "user" | "host" | "model" | "tool";
	readonly items: readonly Item[];
	/** The time of the message in ms; absent if the host does not say. */
	readonly time?: number;
	/** The host's own summary of what it no longer sends: of the messages before a compaction, or of another branch. */
	readonly isSummary?: true;
}

/** Returns true if an item says nothing. */
export function isBlank(item: Item): boolean {
	return (item.type === "text" || item.type === "reasoning") && item.isBlank === true;
}

/**
 * The digest of the text of a call or an output, made when it is first asked for. A call without one has the files that
 * its arguments name.
 */
export function digestOf(item: Pick<ToolResult, "digest"> | ToolCall): Digest | undefined {
	const { digest } = item;
	if (digest === undefined && "arguments" in item) return { lines: [], paths: pathsIn(item.arguments) };
	return typeof digest === "function" ? digest() : digest;
}

function pathsIn(args: ToolCall["arguments"]): readonly string[] {
	const named = Object.entries(args).flatMap(([name, value]) => {
		const values: readonly unknown[] = Array.isArray(value) ? value : [value];
		return values.flatMap((one) => pathArgument(name, one) ?? []);
	});
	return [...new Set(named.map(fileKey))];
}

/** The tokens of items, or of anything else that has tokens, together. */
export function sumTokens(sized: Iterable<{ readonly tokens: number }>): number {
	return sum(sized, ({ tokens }) => tokens);
}
