/** The worker's actions, translated to the tools that a request offers and back from visible calls. */
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
	/** `result` is the whole file after the edits, for hosts without an edit tool. */
	| {
			readonly type: "change";
			readonly path: string;
			readonly edits: readonly Edit[];
			readonly result: string;
	  }
	| { readonly type: "write"; readonly path: string; readonly content: string }
	| { readonly type: "run"; readonly command: string }
	/** For hosts that offer the tool; pages count from 1. */
	| { readonly type: "recall"; readonly query: string; readonly page: number };

/** Quotes a word for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SEARCH_HEAD = "git grep -nE --untracked -e ";
const SEARCH_TAIL = " || true";
const READ_HEAD = "cat -- ";

/** The calls for an action; bash replaces a tool that is not offered. */
export function spellAction(action: Action, tools: readonly ToolDefinition[]): readonly NewCall[] {
	const offered = (name: string): ToolDefinition | undefined => tools.find((tool) => tool.name === name);
	const bash = (command: string): readonly NewCall[] => [{ name: "bash", arguments: { command } }];
	switch (action.type) {
		case "search":
			if (offered("grep")) return [{ name: "grep", arguments: { pattern: action.pattern } }];
			return bash(`${SEARCH_HEAD}${quote(action.pattern)}${SEARCH_TAIL}`);
		case "read":
			if (offered("read")) return [{ name: "read", arguments: { path: action.path } }];
			return bash(`${READ_HEAD}${quote(action.path)}`);
		case "skim": {
			const { path, lines: limit } = action;
			if (offered("read")) return [{ name: "read", arguments: { path, limit } }];
			return bash(`head -n ${limit} -- ${quote(path)}`);
		}
		case "change": {
			const edit = offered("edit");
			if (edit) return spellEdits(action.path, action.edits, edit);
			return spellAction({ type: "write", path: action.path, content: action.result }, tools);
		}
		case "write": {
			const { path, content } = action;
			if (offered("write")) return [{ name: "write", arguments: { path, content } }];
			return bash(`mkdir -p "$(dirname ${quote(path)})" && printf %s ${quote(content)} > ${quote(path)}`);
		}
		case "run":
			return bash(action.command);
		case "recall": {
			const { query, page } = action;
			return [{ name: "recall", arguments: page === 1 ? { query } : { query, page } }];
		}
	}
}

/** Older edit tools take one replacement per call, under other names. */
function spellEdits(path: string, edits: readonly Edit[], tool: ToolDefinition): readonly NewCall[] {
	if (JSON.stringify(tool.parameters).includes('"edits"'))
		return [{ name: "edit", arguments: { path, edits } }];
	return edits.map(({ oldText, newText }) => ({ name: "edit", arguments: { path, oldText, newText } }));
}

export type SeenAction =
	| Exclude<Action, { readonly type: "change" | "recall" }>
	| { readonly type: "change"; readonly path: string; readonly edits: readonly Edit[] };

/** The action of a visible call; undefined for recalls and calls that the worker never makes. */
export function readAction(call: ModelCall): SeenAction | undefined {
	const { path, pattern, content, command, offset, limit } = call.arguments;
	if (call.name === "grep" && typeof pattern === "string") return { type: "search", pattern };
	if (call.name === "bash" && typeof command === "string") return readCommand(command);
	if (typeof path !== "string") return undefined;
	if (call.name === "read" && offset === undefined) {
		return typeof limit === "number" ? { type: "skim", path, lines: limit } : { type: "read", path };
	}
	if (call.name === "write" && typeof content === "string") return { type: "write", path, content };
	if (call.name === "edit") return { type: "change", path, edits: readEdits(call.arguments) };
	return undefined;
}

function readCommand(command: string): SeenAction {
	if (command.startsWith(SEARCH_HEAD)) {
		return { type: "search", pattern: unquote(command.slice(SEARCH_HEAD.length, -SEARCH_TAIL.length)) };
	}
	if (command.startsWith(READ_HEAD)) return { type: "read", path: unquote(command.slice(READ_HEAD.length)) };
	const write = /^mkdir -p .*? && printf %s ('[\s\S]*') > ('[^\n]*')$/.exec(command);
	if (!write) return { type: "run", command };
	return { type: "write", content: unquote(write[1] ?? ""), path: unquote(write[2] ?? "") };
}

const unquote = (word: string): string => word.slice(1, -1).replaceAll("'\\''", "'");

function readEdits(input: Readonly<Record<string, unknown>>): readonly Edit[] {
	const candidates: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [input];
	return candidates.filter(isEdit);
}

function isEdit(value: unknown): value is Edit {
	if (typeof value !== "object" || value === null) return false;
	if (!("oldText" in value) || !("newText" in value)) return false;
	return typeof value.oldText === "string" && typeof value.newText === "string";
}

/** Replaces the lines from `start` to `end`, both inclusive and counted from 0. */
export interface LineChange {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

/** The call that changes a file whose whole text is visible. The changes must not overlap. */
export function changeFile(path: string, text: string, changes: readonly LineChange[]): Action {
	const lines = text.split("\n");
	const ordered = [...changes].sort((left, right) => left.start - right.start);
	const edits = mergeRanges(ordered.map((change) => widen(text, lines, change))).map(
		(range): Edit => ({
			oldText: lines.slice(range.start, range.end + 1).join("\n"),
			newText: rewrite(lines, range, ordered).join("\n"),
		}),
	);
	const whole = { start: 0, end: lines.length - 1 };
	return { type: "change", path, edits, result: rewrite(lines, whole, ordered).join("\n") };
}

interface Range {
	readonly start: number;
	readonly end: number;
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

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
	const merged: Range[] = [];
	for (const range of [...ranges].sort((left, right) => left.start - right.start)) {
		const last = merged.at(-1);
		if (!last || range.start > last.end) merged.push(range);
		else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
	}
	return merged;
}

function rewrite(lines: readonly string[], range: Range, changes: readonly LineChange[]): readonly string[] {
	const rewritten: string[] = [];
	let next = range.start;
	for (const change of changes) {
		if (change.start < range.start || change.end > range.end) continue;
		rewritten.push(...lines.slice(next, change.start), ...change.lines);
		next = change.end + 1;
	}
	return [...rewritten, ...lines.slice(next, range.end + 1)];
}
