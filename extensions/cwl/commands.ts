/** `/cwl`: what the session's context looks like, and the table of its commands. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { CwlError } from "#pi";
import { createCheckpoint } from "./commands/checkpoint.ts";
import type { Context } from "./commands/command.ts";
import { createDoctor } from "./commands/doctor.ts";
import { createEvict } from "./commands/evict.ts";
import { createGoal } from "./commands/goal.ts";
import { createHealth } from "./commands/health.ts";
import { type Commands, createHelp, describePurpose, refuseUnknown } from "./commands/help.ts";
import { createMemory } from "./commands/memory.ts";
import { createNotes } from "./commands/notes.ts";
import { createPin, createUnpin } from "./commands/pin.ts";
import { createPlan } from "./commands/plan.ts";
import { createRecall } from "./commands/recall.ts";
import { createRelease } from "./commands/release.ts";
import { createReport } from "./commands/report.ts";
import { createSettings } from "./commands/settings.ts";
import { createStateJson } from "./commands/state-json.ts";
import { createSwitches } from "./commands/switches.ts";
import { createConstraint, createTask } from "./commands/task.ts";
import { createUndo } from "./commands/undo.ts";
import { createWhy } from "./commands/why.ts";
import { showStatus } from "./footer.ts";
import { importInTurn } from "./import-in-turn.ts";
import { describeState } from "./read-state.ts";
import type { Runtime } from "./state/runtime.ts";

function createCommands(pi: ExtensionAPI, runtime: Runtime) {
	const commands = {
		plan: createPlan(runtime),
		why: createWhy(runtime),
		evict: createEvict(runtime),
		pin: createPin(runtime),
		unpin: createUnpin(runtime),
		undo: createUndo(runtime),
		recall: createRecall(pi, runtime),
		release: createRelease(runtime),
		goal: createGoal(runtime),
		task: createTask(runtime),
		constraint: createConstraint(runtime),
		checkpoint: createCheckpoint(runtime),
		notes: createNotes(runtime),
		memory: createMemory(runtime),
		...createSwitches(pi, runtime),
		settings: createSettings(runtime),
		health: createHealth(runtime),
		report: createReport(runtime),
		doctor: createDoctor(pi, runtime),
		json: createStateJson(runtime),
	};
	return { ...commands, help: createHelp(commands) };
}

export function registerCommands(pi: ExtensionAPI, runtime: Runtime) {
	const commands = createCommands(pi, runtime);
	pi.registerCommand("cwl", {
		description: "shows where the tokens are; /cwl help lists all",
		getArgumentCompletions: (prefix) => complete(commands, prefix),
		handler: async (args, ctx) => {
			const [, name = "", value = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
			if (name === "" && hasTerminal(ctx)) {
				const { showPanel } = await importInTurn(() => import("./panel.ts"));
				return showPanel(runtime, ctx, commands);
			}
			if (name === "") {
				ctx.ui.notify(await describeState(runtime, ctx));
				return showNextSize(runtime, ctx);
			}
			const known: Commands = commands;
			const command = Object.hasOwn(known, name) ? known[name] : undefined;
			try {
				if (!command) throw refuseUnknown(name, known);
				const answer = await command.run(value, ctx);
				ctx.ui.notify(command.isData ? answer : `cwl: ${answer}`);
				await showNextSize(runtime, ctx);
			} catch (error) {
				if (!(error instanceof CwlError)) throw error;
				ctx.ui.notify(`cwl: ${error.message}`, "error");
			}
		},
	});
}

/** A command may have changed the next request: the footer shows its size at once, as every other screen does. */
async function showNextSize(runtime: Runtime, ctx: Context) {
	await runtime.session.remeasure(ctx);
	showStatus(runtime, ctx);
}

/** Only a person in front of a terminal can see an overlay. */
function hasTerminal({ hasUI }: Pick<Context, "hasUI">): boolean {
	return hasUI && process.stdout.isTTY === true;
}

async function complete(commands: Commands, prefix: string) {
	const space = prefix.indexOf(" ");
	const options = space < 0 ? Object.keys(commands) : await valuesOf(commands, prefix.slice(0, space));
	// A word that is complete needs no list, which would take the Enter that sends the command.
	if (options.includes(prefix)) return null;
	const matching = options.filter((option) => option.startsWith(prefix));
	if (matching.length === 0) return null;
	return matching.map((value) => ({ value, label: value, description: describePurpose(value) }));
}

async function valuesOf(commands: Commands, name: string): Promise<readonly string[]> {
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	const values = (await command?.values?.()) ?? [];
	return values.map((value) => `${name} ${value}`);
}
