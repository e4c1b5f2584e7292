/**
 * The tools of pi, of this extension, and of other agents whose recorded sessions are replayed: what each call does
 * and how recoverable its output is. Rows are data for core's tool table.
 */
import type { NestedCall, ToolTable, ToolTraits } from "#core/transcript";

const search: ToolTraits = { effect: "reads", output: "bulk" };
const reading: ToolTraits = { effect: "reads", output: "intermediate" };
const shell: ToolTraits = { effect: "command", output: "intermediate" };
const change: ToolTraits = { effect: "writes", output: "record" };
const talk: ToolTraits = { effect: "none", output: "record" };
/** Views and changes files, depending on its `command`. */
const editor: ToolTraits = { effect: "editor", output: "record" };
/** Shows the output of a command that was started earlier. */
const poll: ToolTraits = { effect: "none", output: "intermediate" };
/** A shell whose `input` may be a script that calls other tools. */
const scriptedShell: ToolTraits = {
	...shell,
	callsOf: ({ input }) => (typeof input === "string" ? readScriptCalls(input) : undefined),
};

function rows(names: string, traits: ToolTraits): ToolTable {
	return Object.fromEntries(names.split(" ").map((name) => [name, traits]));
}

/** All known tools. Names do not clash, so that one table serves sessions of every agent. */
export const defaultToolTable: ToolTable = {
	// pi's own tools and this extension's.
	...rows("delimiter", talk),
	...rows("read recall", reading),
	...rows("glob grep find ls", search),
	...rows("bash", shell),
	...rows("edit write", change),
	// Claude Code.
	...rows("task agent toolsearch", search),
	...rows("webfetch websearch", search),
	...rows("notebookread skill", reading),
	...rows("bashoutput taskoutput", poll),
	...rows("multiedit notebookedit", change),
	...rows("todowrite todoread taskcreate taskupdate tasklist taskget taskstop killshell killbash", talk),
	...rows("askuserquestion enterplanmode exitplanmode", talk),
	// Codex.
	...rows("exec exec_command shell shell_command local_shell write_stdin", scriptedShell),
	...rows("read_file view_image", reading),
	...rows("list_dir grep_files tool_search_call", search),
	...rows("web_search_call", search),
	...rows("wait wait_agent", poll),
	...rows("apply_patch", change),
	...rows(
		"update_plan request_user_input spawn_agent send_message followup_task list_agents close_agent",
		talk,
	),
	// Gemini CLI.
	...rows("run_shell_command", shell),
	...rows("read_many_files activate_skill", reading),
	...rows("list_directory search_file_content grep_search", search),
	...rows("web_fetch google_web_search", search),
	...rows("codebase_investigator", search),
	...rows("replace write_file save_memory", change),
	...rows("write_todos ask_user enter_plan_mode exit_plan_mode", talk),
	// SWE-agent and mini-swe-agent.
	...rows("open goto scroll_down scroll_up filemap view", reading),
	...rows("find_file search_file search_dir", search),
	...rows("create insert", change),
	...rows("submit exit_forfeit", talk),
	// OpenHands.
	...rows("str_replace_editor str_replace_based_edit_tool file_editor", editor),
	...rows("run execute_bash terminal run_ipython execute_ipython_cell", shell),
	...rows("browse browse_interactive browser fetch", search),
	...rows("think finish task_tracker", talk),
};

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
