/**
 * The tool calls in a script that an agent runs, as Codex's `exec` does: JavaScript in which
 * `await tools.exec_command({cmd: "..."})` is a call. The calls are read from the text; nothing is run.
 */
import type { NestedCall } from "#core/transcript";

const CALL = /\btools\.(\w+)\s*\(/g;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/;
const COMMAND = argument("cmd");
/** The text that is typed into a running command; empty if a script only waits for output. */
const TYPED = argument("chars");

function argument(name: string): RegExp {
	return new RegExp(`\\b${name}["']?\\s*:\\s*(${LITERAL.source})`, "g");
}

/** Tools that run a command of the shell. */
const SHELLS = new Set(["exec_command", "shell", "shell_command"]);

/**
 * The calls of a script; undefined if the text is no such script. A call has no arguments if its command cannot be
 * read from the text.
 */
export function readScriptCalls(script: string): readonly NestedCall[] | undefined {
	const tools = [...script.matchAll(CALL)].map(([, name]) => name ?? "");
	if (tools.length === 0) return undefined;
	const shells = tools.filter((tool) => SHELLS.has(tool));
	const typing = tools.filter((tool) => tool === "write_stdin");
	const others = tools.filter((tool) => !SHELLS.has(tool) && tool !== "write_stdin");
	return [
		...others.map((tool) => ({ tool, arguments: {} })),
		...fill(shells, shells.length === 0 ? [] : findCommands(script), "cmd"),
		...fill(typing, literalsOf(script, TYPED), "chars"),
	];
}

/** One call per text, as a loop calls one tool for many texts; further calls have no arguments. */
function fill(tools: readonly string[], texts: readonly string[], name: string): readonly NestedCall[] {
	const [tool] = tools;
	if (tool === undefined) return [];
	const known = texts.map((text) => ({ tool, arguments: { [name]: text } }));
	return [...known, ...tools.slice(texts.length).map((unread) => ({ tool: unread, arguments: {} }))];
}

/** The texts after `cmd`; without any, every text of several words, as in a list that the script loops over. */
function findCommands(script: string): readonly string[] {
	const named = literalsOf(script, COMMAND);
	if (named.length > 0) return named;
	const literals = script.match(new RegExp(LITERAL.source, "g")) ?? [];
	return literals.map(unquote).filter((text) => /^\S+ \S/.test(text));
}

function literalsOf(script: string, pattern: RegExp): readonly string[] {
	return [...script.matchAll(pattern)].map(([, literal]) => unquote(literal ?? ""));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquote(literal: string): string {
	return literal.slice(1, -1).replace(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}
