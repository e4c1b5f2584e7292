/** `/cwl settings`: what is in force and where it came from. */
import { describeSettings } from "#pi";
import { explainBudget } from "../state/budget.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createSettings(runtime: Runtime): Command {
	return {
		usage: "settings",
		async run(_value, ctx) {
			const { settings, origins, problems } = runtime.settings.loaded;
			const origin: Readonly<Record<string, string>> = origins;
			const lines = Object.entries(describeSettings(settings)).map(
				([key, value]) => `  ${key}: ${value} (${origin[key] ?? "default"})`,
			);
			const budget = explainBudget(runtime, ctx, await runtime.session.planning(ctx));
			const wrong = problems.map((problem) => `  problem: ${problem}`);
			return ["settings in force:", ...lines, `budget ${budget}`, ...wrong].join("\n");
		},
	};
}
