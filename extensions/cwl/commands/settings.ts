/** `/cwl settings`: what is in force and where it came from. */
import { describeSettings } from "#pi";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createSettings(runtime: Runtime): Command {
	return {
		usage: "settings",
		run() {
			const { settings, origins, problems } = runtime.settings.loaded;
			const origin: Readonly<Record<string, string>> = origins;
			const lines = Object.entries(describeSettings(settings)).map(
				([key, value]) => `  ${key}: ${value} (${origin[key] ?? "default"})`,
			);
			return ["settings in force:", ...lines, ...problems.map((problem) => `  problem: ${problem}`)].join(
				"\n",
			);
		},
	};
}
