/** `/cwl json`: the state as one line of JSON, for scripts and other extensions. */
import { readState } from "../read-state.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createStateJson(runtime: Runtime): Command {
	return {
		usage: "json",
		isData: true,
		run: async (_value, ctx) => JSON.stringify(await readState(runtime, ctx)),
	};
}
