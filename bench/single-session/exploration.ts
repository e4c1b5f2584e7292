/** Counts repeated reads and searches of unchanged content, which the agent no longer had in its context. */
import type { NewCall, ScriptedModel } from "#loopback";
import { isSummaryRequest } from "./summariser.ts";

export interface ExplorationMeter {
	/** The same model; the meter records its calls, and what they bring from the next request. */
	watch(model: ScriptedModel): ScriptedModel;
	/** Calls so far that repeated an earlier one. */
	repeated(): number;
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
	let [changes, repeated, recalls, characters] = [0, 0, 0, 0];
	/** Of the calls of the last reply, true for those that fetch content back. */
	let isRepair: readonly boolean[] = [];

	/** Returns true for a call that fetches content back. */
	function note({ name, arguments: input }: NewCall): boolean {
		if (name === "recall") recalls += 1;
		const path = String(input.path);
		if (CHANGES.has(name)) changesOf.set(path, ++changes);
		if (!LOOKS.has(name)) return name === "recall";
		const key = `${name} ${JSON.stringify(input)}`;
		const before = looks.get(key) ?? -1;
		looks.set(key, changes);
		const isRepeated = before >= (name === "read" ? (changesOf.get(path) ?? 0) : changes);
		if (isRepeated) repeated += 1;
		return isRepeated;
	}

	return {
		watch: (model) => (request) => {
			if (isSummaryRequest(request)) return model(request);
			const last = request.messages.findLast((message) => message.type === "assistant");
			const repairs = new Set((last?.calls ?? []).filter((_, index) => isRepair[index]).map(({ id }) => id));
			for (const message of request.messages) {
				if (message.type === "result" && repairs.has(message.callId)) characters += message.text.length;
			}
			const reply = model(request);
			isRepair = (reply.calls ?? []).map(note);
			return reply;
		},
		repeated: () => repeated,
		repair: () => ({
			...{ requests: repeated + recalls, recalls },
			tokens: Math.round(characters / CHARACTERS_PER_TOKEN),
		}),
	};
}
