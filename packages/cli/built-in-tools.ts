/** The tools that need no session, called without starting pi. The results are those of a session, except that a session may append its git status: a test compares them. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as pi from "@mariozechner/pi-coding-agent";
import { Check } from "typebox/value";
import type { UnknownRecord } from "#core";
import { agentDirectory, CwlError, loadTokenCounter, toolWords } from "#pi";
import { checkFile, formatGlobResult, formatGrepResult, glob, grep } from "#workspace";
import { chooseHost } from "./host-finder.ts";

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
	glob: async (args, cwd, signal) =>
		formatGlobResult(await glob(args, { cwd, signal }), await loadTokenCounter()),
	grep: async (args, cwd, signal) =>
		formatGrepResult(await grep(args, { cwd, signal }), await loadTokenCounter()),
	read: hostTool("read", async ({ createReadTool }, cwd) =>
		createReadTool(cwd, { autoResizeImages: (await settings(cwd)).getImageAutoResize() }),
	),
	bash: hostTool("bash", async ({ createBashTool }, cwd) => {
		const own = await settings(cwd);
		const [shellPath, commandPrefix] = [own.getShellPath(), own.getShellCommandPrefix()];
		return createBashTool(cwd, { ...(shellPath && { shellPath }), ...(commandPrefix && { commandPrefix }) });
	}),
	edit: hostTool("edit", async ({ createEditTool }, cwd) => createEditTool(cwd)),
	write: hostTool("write", async ({ createWriteTool }, cwd) => createWriteTool(cwd)),
};

/** The result of a call in a folder, or undefined when only a session can answer it: another tool, or arguments that pi refuses or converts. */
export async function callBuiltIn(
	{ name, arguments: args }: ToolCall,
	cwd: string,
): Promise<ToolResult | undefined> {
	const run = Object.hasOwn(runs, name) ? runs[name] : undefined;
	const words = Object.values(toolWords).find((tool) => tool.name === name);
	if (!run || !words || !Check(words.parameters, args)) return undefined;
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	try {
		return { text: await run(args as never, cwd, interrupt.signal), isError: false };
	} catch (error) {
		// Without a pi, no tool has run.
		if (error instanceof CwlError) throw error;
		return { text: error instanceof Error ? error.message : String(error), isError: true };
	} finally {
		process.removeListener("SIGINT", onInterrupt);
	}
}

type HostModule = Pick<
	typeof pi,
	"createReadTool" | "createBashTool" | "createEditTool" | "createWriteTool" | "SettingsManager"
>;

/** The parts of a pi tool that every version has. */
interface HostTool {
	execute(
		id: string,
		args: never,
		signal: AbortSignal,
	): Promise<{ readonly content: readonly { readonly type: string; readonly text?: string }[] }>;
}

function hostTool(name: string, create: (host: HostModule, cwd: string) => Promise<HostTool>): Run {
	return async (args: { readonly path?: unknown }, cwd, signal) => {
		if (name !== "bash" && typeof args.path === "string") await checkFile(args.path, cwd);
		const tool = await create(await importHost(join("core", "tools", `${name}.js`)), cwd);
		const { content } = await tool.execute("cwl-tool", args as never, signal);
		return content.flatMap(({ text }) => text ?? []).join("\n");
	};
}

async function settings(cwd: string): Promise<pi.SettingsManager> {
	const { SettingsManager } = await importHost(join("core", "settings-manager.js"));
	return SettingsManager.create(cwd, agentDirectory(process.env));
}

/**
 * A module of pi's. The whole library takes a second to load and one file of it a fraction, so the file is taken where
 * this version of pi has it.
 */
async function importHost(file: string): Promise<HostModule> {
	const { directory, program } = chooseHost();
	const part = join(directory, "dist", file);
	const path = existsSync(part) ? part : join(dirname(program), "index.js");
	return await import(pathToFileURL(path).href);
}
