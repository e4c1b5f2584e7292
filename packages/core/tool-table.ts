/**
 * What the policies need to know of a tool, as data. A host or a user extends the table with rows of their own;
 * a tool that has no row is judged by the size of what it returned.
 */

/** What a call does to the world: `command` means that the text of the command decides, `none` that it only talks. */
type Effect = "reads" | "writes" | "command" | "none";

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

/** Names are compared in lower case. The rows beyond pi's tools and ours serve recorded sessions of other agents. */
export const defaultToolTable: ToolTable = {
	delimiter: talk,
	recall: reading,
	glob: search,
	grep: search,
	find: search,
	ls: search,
	read: reading,
	bash: shell,
	edit: change,
	write: change,

	exec: shell,
	exec_command: shell,
	shell: shell,
	local_shell: shell,
	write_stdin: shell,
	wait: { effect: "none", output: "intermediate" },
	apply_patch: change,
	multiedit: change,
	notebookedit: change,
	create: change,
	str_replace_editor: change,
	open: reading,
	goto: reading,
	scroll_down: reading,
	scroll_up: reading,
	find_file: search,
	search_file: search,
	search_dir: search,
	list_dir: search,
	view: reading,
	webfetch: search,
	websearch: search,
	web_search_call: search,
	task: search,
	agent: search,
	todowrite: talk,
	todoread: talk,
	taskcreate: talk,
	taskupdate: talk,
	tasklist: talk,
	taskget: talk,
	update_plan: talk,
	think: talk,
	exitplanmode: talk,
	enterplanmode: talk,
	askuserquestion: talk,
};

/** Unknown tools that return at least this many tokens count as bulk. */
export const BULK_TOKENS = 400;

export function traitsOf(table: ToolTable, tool: string): ToolTraits | undefined {
	const name = tool.toLowerCase();
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The output class of one call, by its tool's row, else by size in tokens. */
export function outputClass(table: ToolTable, tool: string, resultTokens: number): OutputClass {
	const declared = traitsOf(table, tool)?.output;
	if (declared) return declared;
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
function segmentReads(segment: string): boolean {
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
export function commandReads(command: string): boolean {
	const bare = command
		.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, withoutText)
		.replace(/\d?>\s*(&\d|\/dev\/null)/g, "");
	if (/[>`]|\$\(/.test(bare)) return false;
	return bare.split(/\|\||&&|[|;&\n]/).every(segmentReads);
}

/** Quoted text says nothing of what runs, save for the substitutions that double quotes let through. */
function withoutText(quoted: string): string {
	return quoted.startsWith('"') && /`|\$\(/.test(quoted) ? "`" : "_";
}

/** Whether a call looks ("reads"), changes ("writes") or only talks ("none"). Unknown tools count as looking. */
export function effectOf(
	table: ToolTable,
	tool: string,
	args: Readonly<Record<string, unknown>>,
): "reads" | "writes" | "none" {
	const effect = traitsOf(table, tool)?.effect ?? "reads";
	if (effect !== "command") return effect;
	const command = commandText(args);
	return command !== undefined && commandReads(command) ? "reads" : "writes";
}

const viewingCommand = /(?:^|[\s;&|"'`])(?:cat|nl|head|tail|less|bat|sed -n|git show|git diff)\s/;

/** Whether a call shows the content of files, and not just where something is or what came of a run. */
export function showsFiles(table: ToolTable, tool: string, args: Readonly<Record<string, unknown>>): boolean {
	const traits = traitsOf(table, tool);
	if (traits?.effect !== "command") return traits?.effect === "reads" && traits.output === "intermediate";
	return viewingCommand.test(commandText(args) ?? "");
}

/** The shell text of a call, under any of the argument names that agents use. */
export function commandText(args: Readonly<Record<string, unknown>>): string | undefined {
	const value = args.command ?? args.cmd ?? args.script ?? args.input;
	if (typeof value === "string") return value;
	if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return undefined;
	// ["bash", "-lc", "text"]: the text is what runs.
	return value.length === 3 && /^-l?c$/.test(String(value[1])) ? String(value[2]) : value.join(" ");
}
