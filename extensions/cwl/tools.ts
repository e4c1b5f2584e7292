/** The tools that the model sees: our own, and pi's own four under fewer words with all of their behaviour. */

import { isDeepStrictEqual } from "node:util";
import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import type { TSchema } from "typebox";
import { DELIMITER } from "#core/annotation";
import { RECALL } from "#core/recall";
import { loadTokenCounter, ownOutput } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { agentDirectory } from "#pi/settings";
import { registerDelimiter } from "./delimiter-tool.ts";
import { importInTurn } from "./host.ts";
import { registerRecall } from "./recall.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerTools(pi: ExtensionAPI, runtime: Runtime) {
	registerSearch(pi);
	registerHostTools(pi);
	// Last, because newer hosts append a tool that comes back.
	registerDelimiter(pi, runtime);
	registerRecall(pi, runtime);
}

/** Loaded at their first call: the search code would cost start-up time. pi has checked the parameters by then. */
function registerSearch(pi: ExtensionAPI) {
	for (const words of [toolWords.glob, toolWords.grep]) {
		pi.registerTool({
			...words,
			label: words.name,
			promptSnippet: words.description,
			async execute(_id, params, signal, _onUpdate, ctx) {
				const { searchTools } = await importInTurn(() => import("#workspace"));
				const options = { cwd: ctx.cwd, signal, loadCounter: loadTokenCounter };
				const text = await searchTools[words.name](params as never, options);
				return { content: [{ type: "text", text }], details: undefined };
			},
		});
	}
}

/** The parts of pi's own tools that ours take over; parameters are checked by pi. */
type HostTool = Pick<
	ToolDefinition,
	"promptSnippet" | "promptGuidelines" | "prepareArguments" | "execute"
> & {
	/** A method, since each tool has details of its own. */
	renderResult?(...given: Parameters<Renderer>): ReturnType<Renderer>;
};
type Renderer = NonNullable<ToolDefinition["renderResult"]>;

/** The options that the user set for pi's own tools (shell, command prefix, image size) are read from pi's settings, as pi does. */
const hostTools: Readonly<Record<"read" | "bash" | "edit" | "write", (cwd: string) => HostTool>> = {
	read: (cwd) =>
		host.createReadToolDefinition(cwd, { autoResizeImages: hostSettings(cwd).getImageAutoResize() }),
	bash(cwd) {
		const settings = hostSettings(cwd);
		const shellPath = settings.getShellPath();
		const commandPrefix = settings.getShellCommandPrefix();
		const options = { ...(shellPath && { shellPath }), ...(commandPrefix && { commandPrefix }) };
		return host.createBashToolDefinition(cwd, options);
	},
	edit: host.createEditToolDefinition,
	write: host.createWriteToolDefinition,
};

/** The host's tools under slim definitions. The renderer of calls is inherited by name. */
export function registerHostTools(pi: ExtensionAPI) {
	for (const words of [toolWords.read, toolWords.bash, toolWords.edit, toolWords.write]) {
		const { name } = words;
		// The words of pi's own prompt are for a session that keeps it.
		const { promptSnippet = "", promptGuidelines = [], prepareArguments } = hostTools[name](process.cwd());
		pi.registerTool<TSchema>({
			...words,
			promptSnippet,
			promptGuidelines,
			...(prepareArguments && { prepareArguments }),
			label: name,
			async execute(id, params, signal, onUpdate, ctx: ExtensionContext) {
				const { path }: { path?: unknown } = Object(params);
				if (name !== "bash" && typeof path === "string") {
					// The host's tools would wait for a pipe, and fill the memory from a device.
					const { checkFile } = await importInTurn(() => import("#workspace"));
					await checkFile(path, ctx.cwd);
				}
				return hostTools[name](ctx.cwd).execute(id, params, signal, onUpdate, ctx);
			},
			...withoutNotes(hostTools[name](process.cwd())),
		});
	}
}

/** The host's renderer of results, which shows only what the tool gave: texts that we attach for the model are left out. */
function withoutNotes({ renderResult }: HostTool): { readonly renderResult?: Renderer } {
	if (!renderResult) return {};
	return {
		renderResult: (result, ...rest) =>
			renderResult({ ...result, content: [...ownOutput(result.content)] }, ...rest),
	};
}

function hostSettings(cwd: string) {
	return host.SettingsManager.create(cwd, agentDirectory(process.env));
}

const ownTools: readonly string[] = [DELIMITER, RECALL];

/**
 * Offers our own tools to the model, or takes them away. They are always last, so that the order of the tools, with which
 * the cached prefix begins, does not depend on when they were switched.
 */
export function setOwnToolsActive(pi: ExtensionAPI, isActive: boolean) {
	const active = pi.getActiveTools();
	const others = active.filter((name) => !ownTools.includes(name));
	const wanted = isActive ? [...others, ...ownTools] : others;
	if (!isDeepStrictEqual(wanted, active)) pi.setActiveTools(wanted);
}
