/** Counts repeated reads and searches of unchanged content, which the agent no longer had in its context. */
import type { ModelRequest, NewCall, ScriptedModel } from "#loopback";
import { isSummaryRequest } from "./summariser.ts";

export interface ExplorationMeter {
	/** Records calls, in their order. */
	note(calls: readonly NewCall[]): void;
	/** Calls so far that repeated an earlier one. */
	repeated(): number;
}

const LOOKS = new Set(["read", "grep", "glob"]);
const CHANGES = new Set(["edit", "write"]);

/**
 * A read is stale after a change of its file, a search after any change. Commands do not count, because their output
 * may vary.
 */
export function createExplorationMeter(): ExplorationMeter {
	/** The number of changes before the last read or search, by call. */
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

/** The same model; the meter records its calls. */
export function withExploration(model: ScriptedModel, meter: ExplorationMeter): ScriptedModel {
	return (request: ModelRequest) => {
		const reply = model(request);
		if (!isSummaryRequest(request)) meter.note(reply.calls ?? []);
		return reply;
	};
}
