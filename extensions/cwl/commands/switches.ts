/** The switches of a session: on, off, budget, policy. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { formatBudget, formatTokens, parseBudget, readValue, settingsSchema } from "#pi";
import { budgetOf, explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import { setOwnToolsActive } from "../tools.ts";
import type { Command, Context } from "./command.ts";

export function createSwitches(
	pi: ExtensionAPI,
	runtime: Runtime,
): Readonly<Record<"on" | "off" | "budget" | "policy", Command>> {
	const change = (ctx: Context, enabled: boolean) => {
		runtime.settings.steer(ctx, { enabled });
		setOwnToolsActive(pi, enabled);
		return enabled
			? "on: this session is kept under its budget."
			: "off: every request sends the whole history.";
	};
	return {
		on: { usage: "on", run: (_value, ctx) => change(ctx, true) },
		off: { usage: "off", run: (_value, ctx) => change(ctx, false) },
		budget: {
			usage: "budget 60k",
			async run(value, ctx) {
				const budget = formatBudget(parseBudget(value));
				runtime.settings.steer(ctx, { budget });
				if (budget === "auto") {
					const choice = explainBudget(runtime, ctx, await runtime.session.planning(ctx));
					return `budget is ${choice}, from the next request on.`;
				}
				return `budget is ${formatTokens(budgetOf(runtime, ctx))} tokens from the next request on.`;
			},
		},
		policy: {
			usage: "policy NAME",
			values: () => settingsSchema.policy.choices ?? [],
			run(value, ctx) {
				runtime.settings.steer(ctx, { policy: readValue("policy", value) });
				return `policy is ${value} from the next request on.`;
			},
		},
	};
}
