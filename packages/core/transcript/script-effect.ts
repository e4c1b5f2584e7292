/**
 * What a script does that an agent runs to call its tools, as Codex's `exec` does: JavaScript in which
 * `await tools.exec_command({cmd: "..."})` is a call. The calls are read off the text; nothing is run.
 */

export interface ScriptCall {
	readonly tool: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

const CALL = /\btools\.(\w+)\s*\(/g;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/;
const COMMAND = argument("cmd");
/** What is typed into a command that runs: nothing, where a script only waits for its output. */
const TYPED = argument("chars");

function argument(name: string): RegExp {
	return new RegExp(`\\b${name}["']?\\s*:\\s*(${LITERAL.source})`, "g");
}

/** Tools that run a command of the shell. */
const SHELLS = new Set(["exec_command", "shell", "shell_command"]);

/**
 * The calls of a script. A call whose command cannot be read off the text has no arguments. Undefined for a text that
 * is no such script.
 */
export function readScriptCalls(script: string): readonly ScriptCall[] | undefined {
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

/** A loop calls one tool for many texts; a call whose text was not found keeps none. */
function fill(tools: readonly string[], texts: readonly string[], name: string): readonly ScriptCall[] {
	const [tool] = tools;
	if (tool === undefined) return [];
	const known = texts.map((text) => ({ tool, arguments: { [name]: text } }));
	return [...known, ...tools.slice(texts.length).map((unread) => ({ tool: unread, arguments: {} }))];
}

/** Written beside `cmd`, or else gathered in a list that the script goes through: every text of several words. */
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
