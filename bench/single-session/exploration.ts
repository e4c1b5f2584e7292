/** Counts repeated reads and searches of unchanged content, which the agent no longer had in its context. */
import type { ModelRequest, NewCall, ScriptedModel } from "#loopback";
import { isSummaryRequest } from "./summariser.ts";

export interface ExplorationMeter {
	/** Records calls, in their order. */
	note(calls: readonly NewCall[]): void;
	/** Calls so far that repeated an earlier one. */
	repeated(): number;
	/** Records what the last calls brought, from the next request. */
	arrived(request: ModelRequest): void;
	repair(): Repair;
}

/** The calls that fetched content back after it left the context: repeated reads and searches, and recalls. */
export interface Repair {
	readonly requests: number;
	/** The recalls among them. */
	readonly recalls: number;
	/** The size of what they brought, in tokens of four characters. */
	readonly tokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

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
	let [recalls, characters] = [0, 0];
	/** Of the calls of the last reply, true for those that fetch content back. */
	let isRepair: readonly boolean[] = [];
	return {
		note(calls) {
			isRepair = calls.map(({ name, arguments: input }) => {
				if (name === "recall") recalls += 1;
				if (name === "recall") return true;
				const path = String(input.path);
				if (CHANGES.has(name)) {
					changes += 1;
					changesOf.set(path, changes);
				}
				if (!LOOKS.has(name)) return false;
				const key = `${name} ${JSON.stringify(input)}`;
				const before = looks.get(key);
				const latest = name === "read" ? (changesOf.get(path) ?? 0) : changes;
				const isRepeated = before !== undefined && before >= latest;
				if (isRepeated) repeated += 1;
				looks.set(key, changes);
				return isRepeated;
			});
		},
		arrived({ messages }) {
			const last = messages.findLast((message) => message.type === "assistant");
			const repairs = new Set((last?.calls ?? []).filter((_, index) => isRepair[index]).map(({ id }) => id));
			isRepair = [];
			for (const message of messages) {
				if (message.type === "result" && repairs.has(message.callId)) characters += message.text.length;
			}
		},
		repeated: () => repeated,
		repair: () => ({
			...{ requests: repeated + recalls, recalls },
			tokens: Math.round(characters / CHARACTERS_PER_TOKEN),
		}),
	};
}

/** The same model; the meter records its calls. */
export function withExploration(model: ScriptedModel, meter: ExplorationMeter): ScriptedModel {
	return (request: ModelRequest) => {
		const isSummary = isSummaryRequest(request);
		if (!isSummary) meter.arrived(request);
		const reply = model(request);
		if (!isSummary) meter.note(reply.calls ?? []);
		return reply;
	};
}
