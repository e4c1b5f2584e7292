/** The hits of the visible searches of a turn, compared with the visible file contents. */

import type { Exchange } from "./exchanges.ts";
import { readAction } from "./toolbox.ts";
import type { FileView } from "./visible-files.ts";

export interface Hit {
	readonly path: string;
	/** Counted from 1. */
	readonly line: number;
	readonly text: string;
	readonly message: number;
}

export interface Search {
	readonly pattern: string;
	readonly message: number;
	readonly hits: readonly Hit[];
	/** False if the tool cut the list short. */
	readonly complete: boolean;
}

const BUILD_OUTPUT = /(^|\/)(dist|build|out|node_modules)\//;
/** Some tools cut long lines: two lines with this many equal characters count as the same. */
const COMPARED_CHARACTERS = 200;

export function listSearches(exchanges: readonly Exchange[]): readonly Search[] {
	return exchanges.flatMap(({ call, text, isError, message }) => {
		const action = readAction(call);
		if (action?.type !== "search" || isError) return [];
		const complete = !/limit reached|truncated|not shown/i.test(text.split("\n").at(-1) ?? "");
		return [{ pattern: action.pattern, message, hits: readHits(text, message), complete }];
	});
}

/**
 * Parses `path:12: text`, `path:12:text`, and `12: text` below a line with the path; everything else is prose of the
 * tool.
 */
function readHits(text: string, message: number): readonly Hit[] {
	let heading = "";
	return text.split("\n").flatMap((row) => {
		const match = /^(?:(?:\.\/)?([^:\s][^:]*):)?(\d+):\s*(.*)$/.exec(row);
		if (!match) {
			heading = row;
			return [];
		}
		const [, path = heading, line, found] = match;
		if (path === "" || BUILD_OUTPUT.test(path)) return [];
		return [{ path, line: Number(line), text: (found ?? "").trim(), message }];
	});
}

/** A search after a view must find exactly the lines that the view shows; otherwise the view is stale. */
export function contradicts(search: Search, path: string, view: FileView): boolean {
	if (search.message < view.message || !search.complete) return false;
	const pattern = new RegExp(search.pattern);
	const shown = view.text
		.split("\n")
		.flatMap((text, index) => (pattern.test(text) ? [`${index + 1}: ${cut(text)}`] : []));
	const found = search.hits.filter((hit) => hit.path === path).map((hit) => `${hit.line}: ${cut(hit.text)}`);
	return shown.join("\n") !== found.join("\n");
}

const cut = (text: string): string => text.trim().slice(0, COMPARED_CHARACTERS);
