/** Wrappers of the scripted model: bad marks, a meter of repeated look-ups, and a stand-in for the summaries of pi's compaction. */
import { fnv1a } from "#basics";
import type { ModelRequest, ScriptedModel } from "#testing";
import type { NewCall } from "#testing/worker";
import { isSummaryRequest } from "./summaries.ts";

/**
 * `flipped`: an expl is called an act, an act an expl. `dependencies-dropped`: an act declares none. `dependencies-invented`:
 * an act also declares an expl that has nothing to do with it. `never-ended`: an episode is not ended.
 * `name-reused`: a name was used before, so that the protocol refuses the start and the work is unmarked. `unmarked`: an
 * episode is not started.
 */
export const faults = [
	"flipped",
	"dependencies-dropped",
	"dependencies-invented",
	"never-ended",
	"name-reused",
	"unmarked",
] as const;

type Fault = (typeof faults)[number];

export interface BadMarks {
	readonly fault: Fault;
	/** Percent of the calls that the fault can change. */
	readonly share: number;
}

/** The same request is marked in the same way. */
export function withBadMarks(model: ScriptedModel, marks: BadMarks | undefined): ScriptedModel {
	if (!marks) return model;
	const { fault, share } = marks;
	const isDrawn = ({ name, arguments: input }: NewCall) =>
		name === "delimiter" &&
		(input.action === "end") === (fault === "never-ended") &&
		fnv1a(JSON.stringify(input)) % 100 < share;
	return (request) => {
		const reply = model(request);
		const calls = reply.calls?.flatMap((call): readonly NewCall[] => {
			const changed = isDrawn(call) ? damage(call.arguments, fault, request) : call.arguments;
			return changed ? [{ ...call, arguments: changed }] : [];
		});
		return calls ? { ...reply, calls } : reply;
	};
}

/** The arguments of a damaged call; undefined for a call that is not made. */
function damage(given: NewCall["arguments"], fault: Fault, request: ModelRequest) {
	const { dependencies, ...input } = given;
	const isAct = input.type === "act";
	switch (fault) {
		case "flipped":
			return isAct ? { ...input, type: "expl" } : { ...input, type: "act", dependencies: [] };
		case "dependencies-dropped":
			return isAct ? { ...input, dependencies: [] } : given;
		case "dependencies-invented":
			return isAct && Array.isArray(dependencies)
				? { ...input, dependencies: [...new Set([...dependencies, ...strangersIn(request)])] }
				: given;
		case "name-reused":
			return { ...given, name: "work" };
		case "never-ended":
		case "unmarked":
			return undefined;
	}
}

/** The oldest expl that is still in the request. */
function strangersIn({ messages }: ModelRequest): readonly string[] {
	const starts = messages.flatMap((message) => (message.type === "assistant" ? message.calls : []));
	const expl = starts.find(({ name, arguments: input }) => name === "delimiter" && input.type === "expl");
	return typeof expl?.arguments.name === "string" ? [expl.arguments.name] : [];
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

export type ExplorationMeter = ReturnType<typeof createExplorationMeter>;

/**
 * A meter of repeated calls. A read is stale after a change of its file, a search after any change. Commands do not count,
 * because their output may vary.
 */
export function createExplorationMeter() {
	/** The number of changes before the last read or search, by call. */
	const looks = new Map<string, number>();
	const changesOf = new Map<string, number>();
	let [changes, repeated, recalls, characters] = [0, 0, 0, 0];
	/** Of the calls of the last reply, true for those that fetch content back. */
	let isRepair: readonly boolean[] = [];

	/** Records a call; returns true for one that fetches content back. */
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
		note,
		/** The same model; the meter records its calls, and what they bring from the next request. */
		watch:
			(model: ScriptedModel): ScriptedModel =>
			(request) => {
				if (isSummaryRequest(request)) return model(request);
				const last = request.messages.findLast((message) => message.type === "assistant");
				const repairs = new Set(
					(last?.calls ?? []).filter((_, index) => isRepair[index]).map(({ id }) => id),
				);
				for (const message of request.messages) {
					if (message.type === "result" && repairs.has(message.callId)) characters += message.text.length;
				}
				const reply = model(request);
				isRepair = (reply.calls ?? []).map(note);
				return reply;
			},
		/** Calls so far that repeated an earlier one. */
		repeated: () => repeated,
		repair: (): Repair => ({
			...{ requests: repeated + recalls, recalls },
			tokens: Math.round(characters / CHARACTERS_PER_TOKEN),
		}),
	};
}
