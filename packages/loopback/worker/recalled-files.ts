/** Files that the worker gets back by a recall instead of reading them again. */
import type { ModelRequest } from "../model.ts";
import type { Knowledge } from "./knowledge.ts";
import { escapePattern } from "./naming.ts";
import type { Action } from "./toolbox.ts";

/** Lines about evicted episodes name a file by the last two components of its path. */
const NAMED_COMPONENTS = 2;
/** The lines of a file, after its name in such a line. */
const RANGES = "(?::\\d+-\\d*(?: \\d+-\\d*)*)?";

/**
 * A recall of what a line about evicted episodes names, in place of a read of that file; the read itself where no line names the
 * file, or where a recall in this turn has not helped.
 */
export function recallInstead(request: ModelRequest, known: Knowledge, action: Action): Action {
	if (action.type !== "read" || known.views.has(action.path)) return action;
	if (!request.tools.some(({ name }) => name === "recall")) return action;
	const query = findNamed(request, action.path);
	const isAsked = known.exchanges.some(
		({ call, message }) =>
			call.name === "recall" && message > known.turn.message && call.arguments.query === query,
	);
	return query === undefined || isAsked ? action : { type: "recall", query, page: 1 };
}

/** The file as the newest line that names it does. */
function findNamed({ messages }: ModelRequest, path: string): string | undefined {
	const key = path.split("/").slice(-NAMED_COMPONENTS).join("/");
	const named = new RegExp(`(?<=[ :,])${escapePattern(key)}${RANGES}(?=[,;\\] ])`);
	const lines = messages.flatMap((message) => (message.type === "user" ? message.text.split("\n") : []));
	const matches = lines.filter((line) => /^\[.*\bevicted\b/.test(line)).map((line) => named.exec(line)?.[0]);
	return matches.findLast((match) => match !== undefined);
}

export interface RecalledFile {
	readonly path: string;
	readonly text: string;
}

const LABEL = /(?<=, )(\w+) (\{.*\}) \w+, lines 1-(\d+) of (\d+)$/;

/**
 * The whole file on a page of a recall, which has the newest call first; undefined if the page may hold an older version
 * of it: behind a change, or with calls on it that are still in the context.
 */
export function recalledFile(page: string): RecalledFile | undefined {
	const [head = "", ...lines] = page.split("\n");
	if (!/ on this file, newest first/.test(head) || lines[0]?.startsWith("Still in context")) return undefined;
	const fence = lines[0]?.split(" ", 1)[0] ?? "";
	const starts = lines.flatMap((line, index) => (line.split(" ", 1)[0] === fence ? [index] : []));
	for (const [index, start] of starts.entries()) {
		const [, tool, json = "", last, all] = LABEL.exec(lines[start] ?? "") ?? [];
		if (tool !== "read") return undefined;
		const { path, ...part } = readJson(json);
		// A part of the file changes nothing, and is not enough.
		if (Object.keys(part).length > 0) continue;
		if (last !== all || typeof path !== "string") return undefined;
		return { path, text: lines.slice(start + 1, starts[index + 1]).join("\n") };
	}
	return undefined;
}

function readJson(json: string): Readonly<Record<string, unknown>> {
	try {
		return { ...Object(JSON.parse(json)) };
	} catch {
		return { unreadable: json };
	}
}
