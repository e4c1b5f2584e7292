/** Counts what is looked at again although nothing that it shows has changed since: what the agent no longer saw. */
import type { ModelRequest, NewCall, ScriptedModel } from "#loopback";
import { isSummaryRequest } from "./summariser.ts";

export interface ExplorationMeter {
	/** Take note of calls, in their order. */
	note(calls: readonly NewCall[]): void;
	/** Calls so far that repeated an earlier one. */
	repeated(): number;
}

const LOOKS = new Set(["read", "grep", "glob"]);
const CHANGES = new Set(["edit", "write"]);

/** Reads go stale with their file, searches with any change; commands are left out, since their output may vary. */
export function createExplorationMeter(): ExplorationMeter {
	/** The number of changes before each look was made last, by call. */
	const looks = new Map<string, number>();
	const changesOf = new Map<string, number>();
	let changes = 0;
	let repeated = 0;
	return {
		note(calls) {
			for (const { name, arguments: input } of calls) {
				const path = String(input.path);
				if (CHANGES.has(name)) {
					changes += 1;
					changesOf.set(path, changes);
				}
				if (!LOOKS.has(name)) continue;
				const key = `${name} ${JSON.stringify(input)}`;
				const before = looks.get(key);
				const latest = name === "read" ? (changesOf.get(path) ?? 0) : changes;
				if (before !== undefined && before >= latest) repeated += 1;
				looks.set(key, changes);
			}
		},
		repeated: () => repeated,
	};
}

/** The same model, with its calls noted. */
export function withExploration(model: ScriptedModel, meter: ExplorationMeter): ScriptedModel {
	return (request: ModelRequest) => {
		const reply = model(request);
		if (!isSummaryRequest(request)) meter.note(reply.calls ?? []);
		return reply;
	};
}
