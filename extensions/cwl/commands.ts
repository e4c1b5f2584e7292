/** `/cwl`: what the session's context looks like, and the switches for this session. */
import type { ExtensionAPI, ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import { budgetTokens, formatBudget, formatTokens, parseBudget } from "../../packages/host/budget.ts";
import { CwlError } from "../../packages/host/errors.ts";
import { policyNames } from "../../packages/host/policies.ts";
import { readPolicy } from "../../packages/host/settings.ts";
import { setDelimiterActive } from "./delimiter-tool.ts";
import type { Runtime } from "./runtime.ts";
import { describeState } from "./state-text.ts";
import { showStatus } from "./status.ts";

type Context = ExtensionCommandContext;

interface Command {
	readonly usage: string;
	/** Values to complete, where they are known. */
	readonly values?: () => readonly string[];
	/** Do it and answer in one line what was done. @throws CwlError for a value that is not allowed */
	run(value: string, ctx: Context): string;
}

export function registerCommands(pi: ExtensionAPI, runtime: Runtime) {
	const commands = createCommands(pi, runtime);
	pi.registerCommand("cwl", {
		description: "Context Window Lifecycle: state, on, off, budget, policy",
		getArgumentCompletions: (prefix) => complete(commands, prefix),
		handler: async (args, ctx) => {
			const [name = "", ...rest] = args.trim().split(/\s+/);
			if (name === "") return ctx.ui.notify(describeState(runtime, await runtime.session(), ctx));
			const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
			if (!command) return ctx.ui.notify(`cwl: "${name}" is unknown; ${usage(commands)}`, "error");
			try {
				ctx.ui.notify(`cwl: ${command.run(rest.join(" "), ctx)}`);
				showStatus(runtime, ctx);
			} catch (error) {
				if (!(error instanceof CwlError)) throw error;
				ctx.ui.notify(`cwl: ${error.message}`, "error");
			}
		},
	});
}

function createCommands(pi: ExtensionAPI, runtime: Runtime): Readonly<Record<string, Command>> {
	const change = (ctx: Context, enabled: boolean) => {
		runtime.steer(ctx, { enabled });
		setDelimiterActive(pi, enabled);
		return enabled
			? "on: this session is kept under its budget."
			: "off: every request sends the whole history.";
	};
	return {
		on: { usage: "on", run: (_value, ctx) => change(ctx, true) },
		off: { usage: "off", run: (_value, ctx) => change(ctx, false) },
		budget: {
			usage: "budget 60k",
			run(value, ctx) {
				const budget = formatBudget(parseBudget(value));
				runtime.steer(ctx, { budget });
				const tokens = budgetTokens(runtime.loaded.settings.budget, ctx.model?.contextWindow);
				return `budget is ${formatTokens(tokens)} tokens from the next request on.`;
			},
		},
		policy: {
			usage: "policy NAME",
			values: policyNames,
			run(value, ctx) {
				runtime.steer(ctx, { policy: readPolicy(value) });
				return `policy is ${value} from the next request on.`;
			},
		},
	};
}

function usage(commands: Readonly<Record<string, Command>>): string {
	return `use /cwl, ${Object.values(commands)
		.map((command) => `/cwl ${command.usage}`)
		.join(", ")}.`;
}

function complete(commands: Readonly<Record<string, Command>>, prefix: string) {
	const space = prefix.indexOf(" ");
	const options =
		space < 0
			? Object.keys(commands)
			: (commands[prefix.slice(0, space)]?.values?.() ?? []).map(
					(value) => `${prefix.slice(0, space)} ${value}`,
				);
	// A word that is complete needs no list, which would take the Enter that sends the command.
	if (options.includes(prefix)) return null;
	const matching = options.filter((option) => option.startsWith(prefix));
	return matching.length > 0 ? matching.map((value) => ({ value, label: value })) : null;
}
