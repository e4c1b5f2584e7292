/** The worker's actions, translated to the tools that a request offers and back from visible calls. */
import { recordsOf, textOf } from "#basics";
import type { ModelCall, ToolDefinition } from "../model.ts";

export type NewCall = Omit<ModelCall, "id">;

export interface Edit {
	readonly oldText: string;
	readonly newText: string;
}

export type Action =
	| { readonly type: "search"; readonly pattern: string }
	| { readonly type: "read"; readonly path: string }
	/** The first lines only, which are not enough to change the file. */
	| { readonly type: "skim"; readonly path: string; readonly lines: number }
	| { readonly type: "change"; readonly path: string; readonly edits: readonly Edit[] }
	| { readonly type: "write"; readonly path: string; readonly content: string }
	| { readonly type: "run"; readonly command: string }
	/** For hosts that offer the tool; pages count from 1. */
	| { readonly type: "recall"; readonly query: string; readonly page: number };

/** Quotes a word for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SEARCH_HEAD = "git grep -nE --untracked -e ";
const SEARCH_TAIL = " || true";

/** The call for an action. pi always has read, edit, write and bash; bash searches where no grep is offered. */
export function spellAction(action: Action, tools: readonly ToolDefinition[]): NewCall {
	const bash = (command: string): NewCall => ({ name: "bash", arguments: { command } });
	switch (action.type) {
		case "search": {
			const { pattern } = action;
			if (tools.some(({ name }) => name === "grep")) return { name: "grep", arguments: { pattern } };
			return bash(`${SEARCH_HEAD}${quote(pattern)}${SEARCH_TAIL}`);
		}
		case "read":
			return { name: "read", arguments: { path: action.path } };
		case "skim":
			return { name: "read", arguments: { path: action.path, limit: action.lines } };
		case "change":
			return { name: "edit", arguments: { path: action.path, edits: action.edits } };
		case "write":
			return { name: "write", arguments: { path: action.path, content: action.content } };
		case "run":
			return bash(action.command);
		case "recall": {
			const { query, page } = action;
			return { name: "recall", arguments: page === 1 ? { query } : { query, page } };
		}
	}
}

export type SeenAction = Exclude<Action, { readonly type: "recall" }>;

/** The action of a visible call; undefined for recalls and calls that the worker never makes. */
export function readAction(call: ModelCall): SeenAction | undefined {
	const { path, pattern, content, command, offset, limit, edits } = call.arguments;
	if (call.name === "grep" && typeof pattern === "string") return { type: "search", pattern };
	if (call.name === "bash" && typeof command === "string") {
		if (!command.startsWith(SEARCH_HEAD)) return { type: "run", command };
		const word = command.slice(SEARCH_HEAD.length, -SEARCH_TAIL.length);
		return { type: "search", pattern: word.slice(1, -1).replaceAll("'\\''", "'") };
	}
	if (typeof path !== "string") return undefined;
	if (call.name === "read" && offset === undefined) {
		return typeof limit === "number" ? { type: "skim", path, lines: limit } : { type: "read", path };
	}
	if (call.name === "write" && typeof content === "string") return { type: "write", path, content };
	if (call.name !== "edit") return undefined;
	const read = recordsOf(edits).map(({ oldText, newText }) => ({
		oldText: textOf(oldText),
		newText: textOf(newText),
	}));
	return { type: "change", path, edits: read };
}

/** Replaces the lines from `start` to `end`, both inclusive and counted from 0. */
export interface LineChange {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

type Range = Pick<LineChange, "start" | "end">;

/** The call that changes a file whose whole text is visible. The changes must not overlap. */
export function changeFile(path: string, text: string, changes: readonly LineChange[]) {
	const lines = text.split("\n");
	const ranges: Range[] = [];
	for (const range of changes.map((change) => widen(text, lines, change)).sort((a, b) => a.start - b.start)) {
		const last = ranges.at(-1);
		if (!last || range.start > last.end) ranges.push(range);
		else ranges[ranges.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
	}
	/** The lines that take the place of one: those of a change at its first line, none at its others. */
	const rewrite = (line: string, at: number): readonly string[] => {
		const change = changes.find(({ start, end }) => start <= at && at <= end);
		if (!change) return [line];
		return change.start === at ? change.lines : [];
	};
	const edits = ranges.map(({ start, end }): Edit => {
		const old = lines.slice(start, end + 1);
		const replaced = old.flatMap((line, index) => rewrite(line, start + index));
		return { oldText: old.join("\n"), newText: replaced.join("\n") };
	});
	return { type: "change", path, edits } as const;
}

/** Adds neighboring lines on both sides in turn, until the text occurs once in the file. */
function widen(text: string, lines: readonly string[], change: Range): Range {
	let { start, end } = change;
	while (start > 0 || end < lines.length - 1) {
		if (occursOnce(text, lines.slice(start, end + 1).join("\n"))) break;
		if (start > 0) start -= 1;
		if (end < lines.length - 1) end += 1;
	}
	return { start, end };
}

export function occursOnce(text: string, part: string): boolean {
	const first = text.indexOf(part);
	return part !== "" && first !== -1 && text.indexOf(part, first + 1) === -1;
}
