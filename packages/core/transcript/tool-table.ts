/**
 * What the policies need to know of a tool, as data. A host or a user extends the table with rows of their own;
 * a tool that has no row is judged by the size of what it returned.
 */
import { readScriptCalls } from "./script-effect.ts";

/**
 * What a call does to the world: `command` means that the text of the command decides, `editor` that a `command` of
 * `view` only looks, `none` that it only talks.
 */
type Effect = "reads" | "writes" | "command" | "editor" | "none";

/**
 * How recoverable the output is (paper 4.4). `bulk`: large and enumerable, stripped at level 2.
 * `intermediate`: stripped at level 3. `record`: a change or a protocol step, leaves with the episode at level 4.
 */
type OutputClass = "bulk" | "intermediate" | "record";

export interface ToolTraits {
	readonly effect: Effect;
	readonly output?: OutputClass;
}

export type ToolTable = Readonly<Record<string, ToolTraits>>;

const search: ToolTraits = { effect: "reads", output: "bulk" };
const reading: ToolTraits = { effect: "reads", output: "intermediate" };
const shell: ToolTraits = { effect: "command", output: "intermediate" };
const change: ToolTraits = { effect: "writes", output: "record" };
const talk: ToolTraits = { effect: "none", output: "record" };
/** Views and changes files, as its `command` says. */
const editor: ToolTraits = { effect: "editor", output: "record" };
/** Shows what came of a command that was begun before. */
const poll: ToolTraits = { effect: "none", output: "intermediate" };

function rows(names: string, traits: ToolTraits): ToolTable {
	return Object.fromEntries(names.split(" ").map((name) => [name, traits]));
}

/** Names are compared in lower case. The rows beyond pi's tools and ours serve recorded sessions of other agents. */
export const defaultToolTable: ToolTable = {
	...rows("delimiter", talk),
	...rows("read recall", reading),
	...rows("glob grep find ls", search),
	...rows("bash", shell),
	...rows("edit write", change),

	// Claude Code
	...rows("task agent webfetch websearch toolsearch", search),
	...rows("notebookread skill", reading),
	...rows("bashoutput taskoutput", poll),
	...rows("multiedit notebookedit", change),
	...rows("todowrite todoread taskcreate taskupdate tasklist taskget taskstop killshell killbash", talk),
	...rows("askuserquestion enterplanmode exitplanmode", talk),

	// Codex
	...rows("exec exec_command shell shell_command local_shell write_stdin", shell),
	...rows("read_file view_image", reading),
	...rows("list_dir grep_files web_search_call tool_search_call", search),
	...rows("wait wait_agent", poll),
	...rows("apply_patch", change),
	...rows(
		"update_plan request_user_input spawn_agent send_message followup_task list_agents close_agent",
		talk,
	),

	// Gemini CLI
	...rows("run_shell_command", shell),
	...rows("read_many_files activate_skill", reading),
	...rows("list_directory search_file_content grep_search web_fetch google_web_search", search),
	...rows("codebase_investigator", search),
	...rows("replace write_file save_memory", change),
	...rows("write_todos ask_user enter_plan_mode exit_plan_mode", talk),

	// SWE-agent and mini-swe-agent
	...rows("open goto scroll_down scroll_up filemap view", reading),
	...rows("find_file search_file search_dir", search),
	...rows("create insert", change),
	...rows("submit exit_forfeit", talk),

	// OpenHands
	...rows("str_replace_editor str_replace_based_edit_tool file_editor", editor),
	...rows("run execute_bash terminal run_ipython execute_ipython_cell", shell),
	...rows("browse browse_interactive browser fetch", search),
	...rows("think finish task_tracker", talk),
};

/** Unknown tools that return at least this many tokens count as bulk. */
export const BULK_TOKENS = 400;

export function traitsOf(table: ToolTable, tool: string): ToolTraits | undefined {
	const name = tool.toLowerCase();
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

/** The output class of one call, by its tool's row, else by size in tokens. What an editor shows is no record. */
export function outputClass(
	table: ToolTable,
	call: { readonly tool: string; readonly arguments: Arguments },
	resultTokens: number,
): OutputClass {
	const traits = traitsOf(table, call.tool);
	if (traits?.effect === "editor" && isView(call.arguments)) return "intermediate";
	if (traits?.output) return traits.output;
	return resultTokens >= BULK_TOKENS ? "bulk" : "intermediate";
}

const readingCommands = new Set(
	(
		"ls cat head tail less more grep egrep fgrep rg ag find fd tree wc stat file du df pwd which whereis type echo " +
		"printf date whoami id uname ps nl sort uniq cut awk jq diff cmp md5sum sha1sum sha256sum strings od xxd " +
		"hexdump readlink realpath dirname basename true test cd"
	).split(" "),
);
const readingGit = new Set(
	"status log show diff blame grep ls-files ls-tree rev-parse describe branch remote shortlog cat-file reflog".split(
		" ",
	),
);

/** Whether one shell segment only looks; unknown programs count as changing things, the cautious reading. */
function isReadOnlySegment(segment: string): boolean {
	const words = segment.trim().split(/\s+/);
	while (words[0] !== undefined && /^([A-Za-z_]\w*=|(.*\/)?env$)/.test(words[0])) words.shift();
	const program = words[0]?.replace(/^.*\//, "");
	if (program === undefined || program === "") return true;
	if (program === "sed") return words.includes("-n") && !words.some((word) => /^-(i|-in-place)/.test(word));
	if (program === "find") return !words.some((word) => /^-(delete|exec|ok|fprint|fls)/.test(word));
	if (program === "git") {
		const verb = words.slice(1).find((word) => !word.startsWith("-"));
		return verb !== undefined && readingGit.has(verb);
	}
	return readingCommands.has(program);
}

/** Whether a shell command only looks at things: every segment of the pipeline reads, and nothing is redirected to a file. */
export function isReadOnlyCommand(command: string): boolean {
	const bare = command
		.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, withoutText)
		.replace(/\d?>\s*(&\d|\/dev\/null)/g, "");
	if (/[>`]|\$\(/.test(bare)) return false;
	return bare.split(/\|\||&&|[|;&\n]/).every(isReadOnlySegment);
}

/** Quoted text says nothing of what runs, save for the substitutions that double quotes let through. */
function withoutText(quoted: string): string {
	return quoted.startsWith('"') && /`|\$\(/.test(quoted) ? "`" : "_";
}

function isView(args: Arguments): boolean {
	return args.command === "view";
}

/** Whether a call looks ("reads"), changes ("writes") or only talks ("none"). Unknown tools count as looking. */
export function effectOf(table: ToolTable, tool: string, args: Arguments): "reads" | "writes" | "none" {
	const effect = traitsOf(table, tool)?.effect ?? "reads";
	if (effect === "editor") return isView(args) ? "reads" : "writes";
	if (effect !== "command") return effect;
	// Codex runs scripts under the name of `input`; a command that merely speaks of tools is none.
	const script = typeof args.input === "string" ? scriptEffect(table, args.input) : undefined;
	if (script) return script;
	const command = commandText(args);
	return command !== undefined && isReadOnlyCommand(command) ? "reads" : "writes";
}

/** A script does what the strongest of its calls does. */
function scriptEffect(table: ToolTable, script: string): "reads" | "writes" | "none" | undefined {
	const calls = readScriptCalls(script);
	if (!calls) return undefined;
	const effects = calls.map((call) => effectOf(table, call.tool, call.arguments));
	if (effects.includes("writes")) return "writes";
	return effects.includes("reads") ? "reads" : "none";
}

const viewingCommand = /(?:^|[\s;&|"'`])(?:cat|nl|head|tail|less|bat|sed -n|git show|git diff)\s/;

/** Whether a call shows the content of files, and not just where something is or what came of a run. */
export function showsFiles(table: ToolTable, tool: string, args: Arguments): boolean {
	const traits = traitsOf(table, tool);
	if (traits?.effect === "editor") return isView(args);
	if (traits?.effect !== "command") return traits?.effect === "reads" && traits.output === "intermediate";
	return viewingCommand.test(commandText(args) ?? "");
}

/** The shell text of a call, under any of the argument names that agents use. */
export function commandText(args: Arguments): string | undefined {
	const value = args.command ?? args.cmd ?? args.script ?? args.input ?? args.code ?? args.chars;
	if (typeof value === "string") return value;
	if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
	// ["bash", "-lc", "text"]: the text is what runs.
	return value.length === 3 && /^-l?c$/.test(String(value[1])) ? String(value[2]) : value.join(" ");
}
