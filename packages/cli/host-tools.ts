/** pi's own tools and its check of arguments, from the pi that `cwl` runs, under the settings that pi reads. */
import { join } from "node:path";
import type * as pi from "@mariozechner/pi-coding-agent";
import type { UnknownRecord } from "#core";
import { agentDirectory } from "#pi";
import { checkFile } from "#workspace";
import { importArgumentCheck, importHost } from "./host-modules.ts";

/** The parts of a pi tool that every version has. */
interface HostTool {
	prepareArguments?(args: unknown): UnknownRecord;
	execute(
		id: string,
		args: never,
		signal: AbortSignal,
	): Promise<{ readonly content: readonly { readonly type: string; readonly text?: string }[] }>;
}

const makers: Readonly<Partial<Record<string, (cwd: string) => Promise<HostTool>>>> = {
	read: async (cwd) => {
		const { createReadTool } = await importHost(join("core", "tools", "read.js"));
		return createReadTool(cwd, { autoResizeImages: (await readSettings(cwd)).getImageAutoResize() });
	},
	bash: async (cwd) => {
		const { createBashTool } = await importHost(join("core", "tools", "bash.js"));
		const settings = await readSettings(cwd);
		const [shellPath, commandPrefix] = [settings.getShellPath(), settings.getShellCommandPrefix()];
		return createBashTool(cwd, { ...(shellPath && { shellPath }), ...(commandPrefix && { commandPrefix }) });
	},
	edit: async (cwd) => (await importHost(join("core", "tools", "edit.js"))).createEditTool(cwd),
	write: async (cwd) => (await importHost(join("core", "tools", "write.js"))).createWriteTool(cwd),
};

async function readSettings(cwd: string): Promise<pi.SettingsManager> {
	const { SettingsManager } = await importHost(join("core", "settings-manager.js"));
	return SettingsManager.create(cwd, agentDirectory(process.env));
}

/** @throws CwlError `no-host`; Error with what the model reads */
export async function runHostTool(
	name: string,
	args: { readonly path?: unknown },
	cwd: string,
	signal: AbortSignal,
): Promise<string> {
	if (name !== "bash" && typeof args.path === "string") await checkFile(args.path, cwd);
	const tool = await makers[name]?.(cwd);
	const { content = [] } = (await tool?.execute("cwl-tool", args as never, signal)) ?? {};
	return content.flatMap(({ text }) => text ?? []).join("\n");
}

/**
 * Prepares and converts arguments that do not fit a tool, as pi does; undefined when this version has its check elsewhere.
 * @throws CwlError `no-host`; Error with what the model reads about arguments that still do not fit
 */
export async function convertArguments(
	tool: { readonly name: string; readonly parameters: unknown },
	args: UnknownRecord,
	cwd: string,
): Promise<UnknownRecord | undefined> {
	const check = await importArgumentCheck();
	if (!check) return undefined;
	const hostTool = await makers[tool.name]?.(cwd);
	const prepared = hostTool?.prepareArguments?.(args) ?? args;
	return check(tool, { type: "toolCall", id: "cwl-tool", name: tool.name, arguments: prepared });
}
