/**
 * The eviction log as entries of pi's session file: one row for each type of entry, with its name, its shape and how it is read
 * back, as data that anyone may have touched.
 */

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { EpisodeId } from "#core/graph";
import type { FixedTokens } from "#core/ledger";
import { type Pass, touchedEpisodes } from "#core/log";
import type { BranchEntry } from "../custom-entries.ts";
import { OutputLimitsSchema, type OutputRule } from "../outputs/output-limits.ts";
import type { Prefix } from "./prefix.ts";
import { Count, type NumberedPass, type RecordedPass, readPass } from "./read-pass.ts";
import { episodesBack, withoutLast } from "./undo.ts";

/** The custom entry types that CWL appends to a session. */
export const PASS_ENTRY = "cwl.pass";
export const UNDO_ENTRY = "cwl.undo";
export const PIN_ENTRY = "cwl.pin";
export const DESCRIPTION_ENTRY = "cwl.description";
export const STEERING_ENTRY = "cwl.steering";
export const OUTPUTS_ENTRY = "cwl.outputs";
export const PREFIX_ENTRY = "cwl.prefix";

const Text = Type.Optional(Type.String());
const Texts = Type.Optional(Type.Unsafe<readonly string[]>(Type.Array(Type.String())));
const SteeringShape = Type.Object({
	enabled: Type.Optional(Type.Boolean()),
	// The budget as people write it (`60k`, `40%`); "" for no goal and no task; `doneGoal` is the goal that was marked done.
	budget: Text,
	policy: Text,
	goal: Text,
	doneGoal: Text,
	task: Text,
	// The user's, and those that the model noted.
	constraints: Texts,
	notedConstraints: Texts,
	// Only ever turned off: a session file cannot turn the project memory on.
	memory: Type.Optional(Type.Literal(false)),
});

/** Settings that a user changed by command for this session; kept on the branch like the passes. */
export type Steering = Readonly<Static<typeof SteeringShape>>;

/** `change` is the thinking that an entry made invalid; absent where there is none. */
const Change = { version: Type.Literal(1), change: Type.Optional(Type.Unsafe<Pass>(Type.Unknown())) };
const shapes = {
	[PASS_ENTRY]: Type.Unsafe<RecordedPass>(Type.Unknown()),
	/** Takes the last pass that still holds back. */
	[UNDO_ENTRY]: Type.Object(Change),
	/** `episode` is an id, as in descriptions. */
	[PIN_ENTRY]: Type.Object({ episode: Type.String(), isPinned: Type.Boolean() }),
	/** A person's own words for an episode, "" for none. */
	[DESCRIPTION_ENTRY]: Type.Object({ episode: Type.String(), text: Type.String() }),
	/** Checks only the form: the settings decide if a value may be used, as for every other source. */
	[STEERING_ENTRY]: SteeringShape,
	/** How large outputs may be that arrive from here on. */
	[OUTPUTS_ENTRY]: Type.Object({
		version: Type.Literal(1),
		after: Type.String(),
		limits: OutputLimitsSchema,
		room: Type.Optional(Type.Integer({ minimum: 1 })),
	}),
	/** A request began in another way than the one before it. */
	[PREFIX_ENTRY]: Type.Object({
		...Change,
		isOn: Type.Boolean(),
		head: Type.String(),
		compaction: Count,
		/** Tokens of the system prompt and the tools in front of the messages. */
		fixed: Type.Optional(Type.Object({ system: Count, tools: Count })),
		/** True if the model takes changes of both inside the conversation. Absent in entries of versions that did not know it, and false there. */
		takesChanges: Type.Optional(Type.Boolean()),
	}),
};

/** The content of the entries of each type. */
export type LogEntries = { readonly [K in keyof typeof shapes]: Static<(typeof shapes)[K]> };

/** The only way to write decisions to a session: each becomes one entry of pi's session file. */
export type WriteEntry = <K extends keyof LogEntries>(type: K, data: LogEntries[K]) => void;

/** The state that the entries of a branch add up to. */
export type RestoredLog = Readonly<GrowingLog>;

/** The state while entries are added to it. */
export type GrowingLog = ReturnType<typeof emptyLog>;

export function emptyLog() {
	return {
		/** The log in force: a pass that was taken back is not in it, and records of a changed prefix are. */
		passes: [] as NumberedPass[],
		/** The passes that were ever made on the branch, those that were taken back included. */
		made: 0,
		/** The prefix of the last request; undefined before the first. */
		prefix: undefined as Prefix | undefined,
		/** Tokens of system prompt and tools in the last request under management, and in the last while CWL was off; none before the first. */
		fixed: {} as { readonly on?: FixedTokens; readonly off?: FixedTokens },
		/** Ids of the episodes that a person brought back, until a pass takes them whole again. */
		spared: new Set<EpisodeId>(),
		/** The number of the pass that was taken back last over each episode. */
		takenBack: new Map<EpisodeId, number>(),
		pinned: new Set<EpisodeId>(),
		descriptions: new Map<EpisodeId, string>(),
		steering: {} as Steering,
		/** Oldest first. */
		outputs: [] as OutputRule[],
		/** Entries of ours that could not be read: another version wrote them, or the file was damaged. */
		unreadable: 0,
	};
}

/** Reads our entries from a branch, oldest first, into a log. Never throws. */
export function readLogEntries(branch: readonly BranchEntry[], log: GrowingLog = emptyLog()): RestoredLog {
	for (const { type, customType, data } of branch) {
		if (type === "custom" && isOurs(customType) && !takeEntry(log, customType, data)) log.unreadable += 1;
	}
	return log;
}

function isOurs(type: unknown): type is keyof LogEntries {
	return Object.hasOwn(shapes, String(type));
}

/** Takes an entry into the log; returns false if it cannot be read. */
function takeEntry<K extends keyof LogEntries>(log: GrowingLog, type: K, data: unknown): boolean {
	const isEntry = (value: unknown): value is LogEntries[K] => Check(shapes[type], value);
	return isEntry(data) && takes[type](log, data) !== false;
}

/** The readers by type; each returns false for data that has the shape and cannot be ours. */
const takes: { readonly [K in keyof LogEntries]: (log: GrowingLog, data: LogEntries[K]) => unknown } = {
	[PASS_ENTRY](log, data) {
		const pass = readPass(data);
		if (!pass) return false;
		log.made += 1;
		log.passes.push({ ...pass, number: log.made });
		const whole = new Set(pass.strips.filter(({ level }) => level === 4).map(({ episode }) => episode));
		// A request that is being made uses the set that it was given.
		log.spared = new Set([...log.spared].filter((episode) => !whole.has(episode)));
		return true;
	},
	[UNDO_ENTRY](log, { change }) {
		const { pass, rest } = withoutLast(log.passes);
		log.passes = [...rest];
		if (pass) {
			log.spared = new Set([...log.spared, ...episodesBack(pass)]);
			for (const episode of touchedEpisodes(pass)) log.takenBack.set(episode, pass.number);
		}
		return takeChange(log, change);
	},
	[PIN_ENTRY](log, { episode, isPinned }) {
		const others = [...log.pinned].filter((pinned) => pinned !== episode);
		log.pinned = new Set([...others, ...(isPinned ? [episode] : [])]);
	},
	[DESCRIPTION_ENTRY]: ({ descriptions }, { episode, text }) => descriptions.set(episode, text),
	[STEERING_ENTRY](log, data) {
		const given = Object.entries(data).filter(([key]) => Object.hasOwn(SteeringShape.properties, key));
		log.steering = { ...log.steering, ...Object.fromEntries(given) };
	},
	[OUTPUTS_ENTRY]: ({ outputs }, { version: _, ...rule }) => outputs.push(rule),
	[PREFIX_ENTRY](log, { isOn, head, compaction, fixed, takesChanges = false, change }) {
		log.prefix = { isOn, head, compaction, takesChanges };
		log.fixed = { ...log.fixed, [isOn ? "on" : "off"]: fixed };
		return takeChange(log, change);
	},
};

function takeChange(log: GrowingLog, data: unknown): boolean {
	const pass = data === undefined ? undefined : readPass(data);
	if (pass) log.passes.push({ ...pass, number: 0 });
	return data === undefined || pass !== undefined;
}
