/** `/cwl`: what the session's context looks like, and the table of its commands. */

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { MAX_NAME_LENGTH, nameText, quoteStart, showName } from "#basics";
import { CwlError, refusal } from "#pi";
import { nearestName, panelText } from "#pi/screen";
import { createBrief } from "./commands/brief.ts";
import { type Command, type Commands, createHelp } from "./commands/command.ts";
import { createEvict, createPin, createRelease, createUndo } from "./commands/passes.ts";
import { createPlan } from "./commands/plan.ts";
import { createHealth, createReport } from "./commands/report.ts";
import { createSettings, createSwitches } from "./commands/settings.ts";
import { createWhy } from "./commands/why.ts";
import { showNextSize } from "./footer.ts";
import { hasTerminal, importInTurn } from "./host.ts";
import { createMemory } from "./memory.ts";
import { readState } from "./read-state.ts";
import { createRecall } from "./recall.ts";
import type { Runtime } from "./state/runtime.ts";

function createCommands(pi: ExtensionAPI, runtime: Runtime) {
	const commands = {
		plan: createPlan(runtime),
		why: createWhy(runtime),
		evict: createEvict(runtime),
		pin: createPin(runtime),
		undo: createUndo(runtime),
		recall: createRecall(pi, runtime),
		release: createRelease(runtime),
		brief: createBrief(runtime),
		memory: createMemory(runtime),
		...createSwitches(pi, runtime),
		settings: createSettings(pi, runtime),
		health: createHealth(runtime),
		report: createReport(runtime),
	};
	return { ...commands, help: createHelp(commands) };
}

export function registerCommands(pi: ExtensionAPI, runtime: Runtime) {
	const commands = createCommands(pi, runtime);
	pi.registerCommand("cwl", {
		description: "shows where the tokens are; /cwl help lists all",
		getArgumentCompletions: (prefix) => complete(commands, prefix, runtime),
		handler: async (args, ctx) => {
			if (args.trim() === "" && hasTerminal(ctx)) {
				const { showPanel } = await importInTurn(() => import("./panel.ts"));
				return showPanel(runtime, ctx, commands);
			}
			if (args.trim() === "") {
				ctx.ui.notify(panelText(await readState(runtime, ctx)));
				return showNextSize(runtime, ctx);
			}
			const { name = "", value = "" } = /^(?<name>\S*)\s*(?<value>.*)$/s.exec(args.trim())?.groups ?? {};
			try {
				const command = commandNamed(commands, name);
				if (!command) {
					const nearest = nearestName(name, Object.keys(commands));
					const suggestion = nearest === undefined ? "" : ` Did you mean /cwl ${nearest}?`;
					throw refusal(`there is no command /cwl ${showName(name)}.${suggestion} /cwl help lists all.`);
				}
				refuseExtraWords(command, value);
				const answer = await command.run(value, ctx);
				ctx.ui.notify(command.isData?.(value) ? answer : `cwl: ${answer}`);
				await showNextSize(runtime, ctx);
			} catch (error) {
				if (!(error instanceof CwlError)) throw error;
				ctx.ui.notify(`cwl: ${error.message}`, "error");
			}
		},
	});
}

/** @throws CwlError for words that a command does not take */
function refuseExtraWords({ usage }: Command, value: string) {
	const isJson = value.endsWith("--json");
	const hint = isJson ? " /cwl report --json has the figures of all screens." : "";
	const got = `and got ${quoteStart(value, MAX_NAME_LENGTH)}.${hint}`;
	if (isJson && usage.includes("REF")) throw refusal(`/cwl ${usage} takes no --json, ${got}`);
	if (value !== "" && !usage.includes(" ")) throw refusal(`/cwl ${usage} takes nothing after it, ${got}`);
}

function commandNamed(commands: Commands, name: string): Command | undefined {
	return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

async function complete(commands: Commands, prefix: string, { session }: Runtime) {
	const [name = "", ...more] = prefix.split(" ");
	const { usage = "", values = [] } = commandNamed(commands, name) ?? {};
	const names = usage.includes("REF") ? (await session.graph()).episodes.map((episode) => episode.name) : [];
	// Names that can be typed as they are shown.
	const known = [...names.filter((each) => nameText(each) === each), ...values];
	const options = more.length > 0 ? known.map((value) => `${name} ${value}`) : Object.keys(commands);
	// A word that is complete needs no list, which would take the Enter that sends the command.
	if (options.includes(prefix)) return null;
	const matching = options.filter((option) => option.startsWith(prefix));
	if (matching.length === 0) return null;
	return matching.map((value) => ({ value, label: value, description: commands[value]?.purpose ?? "" }));
}
