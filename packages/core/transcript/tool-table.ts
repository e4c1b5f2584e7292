/**
 * Tool profiles: what policies need to know of a tool, as data. The host passes in a table with a row for each of its
 * tools; a tool without a row is judged by the size of its output.
 */
import type { UnknownRecord } from "#basics";
import { commandText, isReadOnlyCommand, isViewingCommand } from "./shell-command.ts";
import type { Item, ToolCall } from "./transcript.ts";

/** The effect of a call on the world: it gathers information, changes things, or only talks. */
export type Effect = "reads" | "writes" | "none";

/**
 * How recoverable an output is (paper 4.4). `bulk`: large and enumerable, stripped at level 2. `intermediate`: stripped
 * at level 3. `record`: a change or a protocol step, leaves with its episode at level 4.
 */
export type OutputClass = "bulk" | "intermediate" | "record";

/** A call that another call makes. */
export type NestedCall = Pick<ToolCall, "tool" | "arguments">;

export interface ToolTraits {
	/** `command`: the text of the shell command decides. `editor`: it only reads if its `command` is `view`. */
	readonly effect: Effect | "command" | "editor";
	/** If it is absent, the size of the output decides. */
	readonly output?: OutputClass;
	/** For tools that run scripts: the calls in the script, or undefined if the arguments hold none. */
	readonly callsOf?: (args: UnknownRecord) => readonly NestedCall[] | undefined;
}

/** The tool that gives evicted content back. */
export const RECALL = "recall";

/** Rows by tool name in lower case. */
export type ToolTable = Readonly<Record<string, ToolTraits>>;

/** An output of an unknown tool counts as bulk from this size on, in tokens. */
export const BULK_TOKENS = 400;

/** The row of a tool, whose name is compared in lower case. */
export function traitsOf(table: ToolTable, tool: string): ToolTraits | undefined {
	const name = tool.toLowerCase();
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The output class of a call: from its row, or from the size of its result in tokens. Views are no records. */
export function outputClass(table: ToolTable, call: NestedCall, resultTokens: number): OutputClass {
	const traits = traitsOf(table, call.tool);
	if (traits?.effect === "editor" && isView(call.arguments)) return "intermediate";
	if (traits?.output) return traits.output;
	return resultTokens >= BULK_TOKENS ? "bulk" : "intermediate";
}

/** The effect of a call. Unknown tools count as reading. */
export function effectOf(table: ToolTable, tool: string, args: UnknownRecord): Effect {
	const traits = traitsOf(table, tool);
	const effect = traits?.effect ?? "reads";
	if (effect === "editor") return isView(args) ? "reads" : "writes";
	if (effect !== "command") return effect;
	const nested = traits?.callsOf?.(args);
	if (nested) return strongestEffect(nested.map((call) => effectOf(table, call.tool, call.arguments)));
	const command = commandText(args);
	return command !== undefined && isReadOnlyCommand(command) ? "reads" : "writes";
}

function strongestEffect(effects: readonly Effect[]): Effect {
	if (effects.includes("writes")) return "writes";
	return effects.includes("reads") ? "reads" : "none";
}

/** Returns true if a call shows the content of files, rather than where something is or the output of a run. */
export function showsFiles(table: ToolTable, tool: string, args: UnknownRecord): boolean {
	const traits = traitsOf(table, tool);
	if (traits?.effect === "editor") return isView(args);
	if (traits?.effect !== "command") return traits?.effect === "reads" && traits.output === "intermediate";
	return isViewingCommand(commandText(args) ?? "");
}

/** Returns true if a call writes its own arguments into files: an edit tool, or a patch in the V4A format. */
export function isEdit(table: ToolTable, item: Item): boolean {
	if (item.type !== "call") return false;
	const { tool, arguments: args } = item;
	if (Object.values(args).some((value) => typeof value === "string" && value.includes("*** Begin Patch"))) {
		return true;
	}
	return traitsOf(table, tool)?.output === "record" && effectOf(table, tool, args) === "writes";
}

function isView(args: UnknownRecord): boolean {
	return args.command === "view";
}
