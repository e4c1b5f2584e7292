/**
 * The project memory: a fresh session is given what earlier ones found out about its repository, once and at its
 * beginning; a session that ends adds what it found out. Neither happens unless the user has turned it on; the commands work
 * in any case.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { messageOf, refusal } from "#pi";
import {
	describeMemory,
	describeShare,
	describeUpdate,
	findingsOf,
	type MemoryReport,
	reportMemory,
	repositoryOf,
	type SavedMemory,
	updateMemory,
} from "#pi/brief";
import { loadTokenCounter } from "#pi/codec";
import { createFileReader } from "#pi/files";
import type { Command } from "./commands/command.ts";
import { tellNotice, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerMemory(pi: ExtensionAPI, runtime: Runtime) {
	runtime.injected.withTurns("project-memory", async (ctx) =>
		isFresh(ctx) && isOn(runtime) ? await textForModel(runtime, ctx) : undefined,
	);
	pi.on("session_shutdown", async (_event, ctx) => {
		if (!isOn(runtime)) return;
		try {
			const saved = await remember(runtime, ctx);
			if (saved && saved.added + saved.removed > 0) tellNotice(ctx, describeUpdate(saved));
		} catch (error) {
			if (runtime.entries.isRefusing()) return;
			tellProblem(ctx, "warning", `the project memory was not updated: ${messageOf(error)}`);
		}
	});
}

/** `/cwl memory`: what earlier sessions found out about this repository. */
export function createMemory(runtime: Runtime): Command {
	return {
		usage: "memory [update|off]",
		purpose: "shows what earlier sessions found out",
		values: ["update", "off"],
		async run(value, ctx) {
			switch (value) {
				case "":
					return describeMemory(await memoryOf(runtime, ctx));
				case "off":
					runtime.settings.steer(ctx, { memory: false });
					return "the project memory is off for this session: it is neither given nor written on its own.";
				case "update": {
					const saved = await remember(runtime, ctx);
					return saved ? describeUpdate(saved) : "nothing has been said yet that could be remembered.";
				}
				default:
					throw refusal(`/cwl memory ${value}: use /cwl memory, /cwl memory update or off.`);
			}
		},
	};
}

/** Adds what this session found out since it was last added; undefined before its first message. @throws CwlError */
async function remember(runtime: Runtime, ctx: ExtensionContext): Promise<SavedMemory | undefined> {
	const { input, messages } = await runtime.session.lookAhead(ctx);
	if (messages.length === 0) return undefined;
	const root = repositoryOf(ctx.cwd);
	const session = findingsOf({
		session: ctx.sessionManager.getSessionId(),
		cwd: ctx.cwd,
		root,
		messages,
		graph: input.graph,
		branch: ctx.sessionManager.getBranch(),
		goal: runtime.settings.goal()?.text,
	});
	return await updateMemory(root, [session], createFileReader());
}

/** The memory of this session's repository, as a user sees it. */
async function memoryOf(
	{ settings }: Runtime,
	{ cwd }: Pick<ExtensionContext, "cwd">,
): Promise<MemoryReport> {
	const about = { cwd, enabled: settings.loaded.settings.memory, goal: settings.goal()?.text };
	return await reportMemory(about, createFileReader(), await loadTokenCounter());
}

/** The text for the model, "" for none; the user learns that it goes there, and what is wrong with the file. */
async function textForModel(runtime: Runtime, ctx: ExtensionContext): Promise<string> {
	const report = await memoryOf(runtime, ctx);
	if (report.problem !== undefined) tellProblem(ctx, "warning", `the project memory: ${report.problem}`);
	if (report.text !== "") tellNotice(ctx, `the project memory goes to the model: ${describeShare(report)}.`);
	return report.text;
}

function isOn({ settings }: Runtime): boolean {
	return settings.isEnabled && settings.loaded.settings.memory;
}

/** Nothing was said yet: later, it would change what the provider has cached, or come twice. */
function isFresh({ sessionManager }: ExtensionContext): boolean {
	return !sessionManager.getBranch().some(({ type }) => type === "message");
}
