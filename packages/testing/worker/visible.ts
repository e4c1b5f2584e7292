/** The content that a request shows: calls with their results, the files that reads and edits make visible, and the hits of searches. */
import { readPlaceholder } from "#core/projection";
import type { ModelMessage } from "../model.ts";
import { type Edit, occursOnce, readAction, type SeenAction } from "./toolbox.ts";

/**
 * The calls in order, each with the text of its result; calls without one are left out. `message` is the index of the
 * assistant message that made the call, which orders the exchanges in time.
 */
export function pairCalls(messages: readonly ModelMessage[]) {
	const results = new Map(
		messages.flatMap((message) => (message.type === "result" ? [[message.callId, message] as const] : [])),
	);
	return messages.flatMap((message, index) => {
		if (message.type !== "assistant") return [];
		return message.calls.flatMap((call) => {
			const result = results.get(call.id);
			return result ? [{ call, text: result.text, isError: result.isError, message: index }] : [];
		});
	});
}

/** A call with its result. */
export type Exchange = ReturnType<typeof listExchanges>[number];

/** The exchanges in order, without calls whose result is evicted or is only a placeholder. */
export function listExchanges(messages: readonly ModelMessage[]) {
	return pairCalls(messages)
		.filter(({ text }) => !readPlaceholder(text.trim()))
		.map((exchange) => ({ ...exchange, action: readAction(exchange.call) }));
}

export interface FileView {
	readonly text: string;
	/** Index of the message that read or changed it last. */
	readonly message: number;
	/** True if the last of these was a change, so that its outcome was not read yet. */
	readonly changed: boolean;
	/** The calls that this view is built from. */
	readonly callIds: readonly string[];
}

/**
 * Builds one view per file from the exchanges. A failed edit shows that the view was wrong, and drops it. A view may
 * be stale, because an evicted edit is unknown; searches and checks reveal that.
 */
export function viewFiles(exchanges: readonly Exchange[]): ReadonlyMap<string, FileView> {
	const views = new Map<string, FileView>();
	for (const { call, action, text: result, isError, message } of exchanges) {
		if (action?.type !== "read" && action?.type !== "write" && action?.type !== "change") continue;
		const before = views.get(action.path);
		views.delete(action.path);
		const text = isError ? undefined : outcome(action, result, before);
		if (text === undefined) continue;
		const earlier = action.type === "change" ? (before?.callIds ?? []) : [];
		const callIds = [...earlier, call.id];
		views.set(action.path, { text, message, changed: action.type !== "read", callIds });
	}
	return views;
}

/** The file after a call; undefined if that cannot be known. */
function outcome(
	action: Extract<SeenAction, { readonly type: "read" | "write" | "change" }>,
	result: string,
	before: FileView | undefined,
): string | undefined {
	if (action.type === "read") return result.replace(/\n\n\[[^\n]*\boffset=\d+[^\n]*\]$/, "");
	if (action.type === "write") return action.content;
	return before && applyEdits(before.text, action.edits);
}

/** The text after the edits; undefined if one of them does not fit the visible text. */
export function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
	if (edits.length === 0 || !edits.every((edit) => occursOnce(text, edit.oldText))) return undefined;
	return edits.reduce((current, edit) => current.replace(edit.oldText, () => edit.newText), text);
}

export type Search = ReturnType<typeof listSearches>[number];

const BUILD_OUTPUT = /(^|\/)(dist|build|out|node_modules)\//;
/** Some tools cut long lines: two lines with this many equal characters count as the same. */
const COMPARED_CHARACTERS = 200;

export function listSearches(exchanges: readonly Exchange[]) {
	return exchanges.flatMap(({ action, text, isError, message }) => {
		if (action?.type !== "search" || isError) return [];
		/** False if the tool cut the list short. */
		const complete = !/limit reached|truncated|not shown/i.test(text.split("\n").at(-1) ?? "");
		return [{ pattern: action.pattern, message, hits: readHits(text, message), complete }];
	});
}

/**
 * Parses `path:12: text`, `path:12:text`, and `12: text` below a line with the path, all counted from 1; the rest is prose of
 * the tool.
 */
export function readHits(text: string, message: number) {
	let heading = "";
	return text.split("\n").flatMap((row) => {
		const match = /^(?:(?:\.\/)?([^:\s][^:]*):)?(\d+):\s*(.*)$/.exec(row);
		if (!match) {
			heading = row;
			return [];
		}
		const [, path = heading, line, found = ""] = match;
		if (path === "" || BUILD_OUTPUT.test(path)) return [];
		return [{ path, line: Number(line), text: found.trim(), message }];
	});
}

/** A search after a view must find exactly the lines that the view shows; otherwise the view is stale. */
export function contradicts(search: Search, path: string, view: FileView): boolean {
	if (search.message < view.message || !search.complete) return false;
	const cut = (text: string): string => text.trim().slice(0, COMPARED_CHARACTERS);
	const pattern = new RegExp(search.pattern);
	const shown = view.text
		.split("\n")
		.flatMap((text, index) => (pattern.test(text) ? [`${index + 1}: ${cut(text)}`] : []));
	const found = search.hits.filter((hit) => hit.path === path).map((hit) => `${hit.line}: ${cut(hit.text)}`);
	return shown.join("\n") !== found.join("\n");
}
