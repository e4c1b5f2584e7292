/** `/cwl memory`: what earlier sessions found out about this repository. */
import { CwlError, describeMemory, describeUpdate, MEMORY_OFF } from "#pi";
import { memoryOf, remember } from "../memory.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createMemory(runtime: Runtime): Command {
	return {
		usage: "memory [update|off]",
		values: () => ["update", "off"],
		async run(value, ctx) {
			switch (value) {
				case "":
					return describeMemory(await memoryOf(runtime, ctx));
				case "off":
					runtime.settings.steer(ctx, { memory: false });
					return "the project memory is off for this session: it is neither read nor written.";
				case "update": {
					if (!runtime.settings.loaded.settings.memory) throw new CwlError("memory-off", MEMORY_OFF);
					const saved = await remember(runtime, ctx);
					return saved ? describeUpdate(saved) : "nothing has been said yet that could be remembered.";
				}
				default:
					throw new CwlError(
						"bad-memory-command",
						`/cwl memory ${value}: use /cwl memory, /cwl memory update or off.`,
					);
			}
		},
	};
}
