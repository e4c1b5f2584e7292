/**
 * The built-in tools, called without starting pi, and those of the pi that `cwl` runs. The results are those of a new
 * session, except that a session mends arguments that do not fit and may append its git status: a test compares them.
 */

import type * as pi from "@mariozechner/pi-coding-agent";
import { Check } from "typebox/value";
import { printable, type UnknownRecord } from "#basics";
import { admitDelimiter, describeCommand, emptyProtocol } from "#core/annotation";
import { CwlError, messageOf } from "#pi";
import { loadTokenCounter } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { answerRecall } from "#pi/recall";
import { createManagedSession } from "#pi/session";
import { agentDirectory } from "#pi/settings";
import { checkFile, searchTools } from "#workspace";
import { untilInterrupted } from "./command-line.ts";
import { importHost } from "./host.ts";

export interface ToolCall {
	readonly name: string;
	readonly arguments: UnknownRecord;
}

export interface ToolResult {
	readonly text: string;
	readonly isError: boolean;
}

type Run = (args: never, cwd: string, signal: AbortSignal) => Promise<string>;

const runs: Readonly<Partial<Record<string, Run>>> = {
	glob: search("glob"),
	grep: search("grep"),
	read: onFile(async (cwd) => {
		const { createReadTool } = await importHost("core", "tools", "read.js");
		return createReadTool(cwd, { autoResizeImages: (await readSettings(cwd)).getImageAutoResize() });
	}),
	bash: async (args, cwd, signal) => {
		const { createBashTool } = await importHost("core", "tools", "bash.js");
		const settings = await readSettings(cwd);
		const shellPath = settings.getShellPath();
		const commandPrefix = settings.getShellCommandPrefix();
		const tool = createBashTool(cwd, {
			...(shellPath && { shellPath }),
			...(commandPrefix && { commandPrefix }),
		});
		return await execute(tool, args, signal);
	},
	edit: onFile(async (cwd) => (await importHost("core", "tools", "edit.js")).createEditTool(cwd)),
	write: onFile(async (cwd) => (await importHost("core", "tools", "write.js")).createWriteTool(cwd)),
	delimiter: async (args) => startEpisode(args),
	recall: async (args) => recallNothing(args),
};

/** A search in a folder, without a session. */
export function search(tool: keyof typeof searchTools): Run {
	return (args, cwd, signal) => searchTools[tool](args, { cwd, signal, loadCounter: loadTokenCounter });
}

/** The result of a call in a folder; undefined for a tool that cwl does not have. */
export async function callBuiltIn(call: ToolCall, cwd: string): Promise<ToolResult | undefined> {
	const run = Object.hasOwn(runs, call.name) ? runs[call.name] : undefined;
	if (!run) return undefined;
	try {
		const words = Object.values(toolWords).find((tool) => tool.name === call.name);
		if (words) checkArguments(words, call.arguments);
		const answer = await untilInterrupted((signal) => run(call.arguments as never, cwd, signal));
		return { text: answer, isError: false };
	} catch (error) {
		// Without a pi, no tool has run.
		if (error instanceof CwlError) throw error;
		return { text: messageOf(error), isError: true };
	}
}

/** Characters of a wrong call that are repeated. */
const MAX_SHOWN = 200;

type ToolWords = (typeof toolWords)[keyof typeof toolWords];

/** @throws Error with what the model reads about arguments that do not fit */
export function checkArguments({ name, parameters }: ToolWords, args: UnknownRecord): void {
	if (Check(parameters, args)) return;
	const shown = printable(JSON.stringify(args).slice(0, MAX_SHOWN));
	const allowed = JSON.stringify(parameters.properties);
	throw new Error(
		`${shown} does not fit ${name}: use ${allowed}; required: ${parameters.required.join(", ")}.`,
	);
}

/** A new session has no open episode. @throws Error with the reason of a refusal, for the model */
function startEpisode(args: UnknownRecord): string {
	const decision = admitDelimiter(emptyProtocol, args);
	if (decision.type === "rejected") throw new Error(decision.message);
	return describeCommand(emptyProtocol, decision.command);
}

/** A new session has evicted nothing, so a recall finds nothing to give back. */
function recallNothing({ query, page = 1 }: { readonly query: string; readonly page?: number }): string {
	const count = (text: string) => Buffer.byteLength(text);
	const context = { messages: [], ...createManagedSession(count).inspect([]) };
	return answerRecall({ context, whole: undefined }, { query, page, takesImages: false }, count).text;
}

/** The parts of a pi tool that every version has. */
interface HostTool {
	execute(
		id: string,
		args: never,
		signal: AbortSignal,
	): Promise<{ readonly content: readonly { readonly type: string; readonly text?: string }[] }>;
}

async function readSettings(cwd: string): Promise<pi.SettingsManager> {
	const { SettingsManager } = await importHost("core", "settings-manager.js");
	return SettingsManager.create(cwd, agentDirectory(process.env));
}

/** Runs a tool of pi's on the file of its argument `path`. @throws CwlError `no-host`; Error with what the model reads */
function onFile(create: (cwd: string) => Promise<HostTool>): Run {
	return async (args: { readonly path?: unknown }, cwd, signal) => {
		if (typeof args.path === "string") await checkFile(args.path, cwd);
		return await execute(await create(cwd), args as never, signal);
	};
}

async function execute(tool: HostTool, args: never, signal: AbortSignal): Promise<string> {
	const { content } = await tool.execute("cwl-tool", args, signal);
	return content.flatMap(({ text }) => text ?? []).join("\n");
}
