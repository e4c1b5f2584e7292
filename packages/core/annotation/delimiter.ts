/** The annotation protocol: one tool, four canonical calls (paper 4.2). */
import { hasOddCharacter, MAX_NAME_LENGTH, printable, quoteStart, type UnknownRecord } from "#basics";

export const DELIMITER = "delimiter";

/** A longer description is cut once its episode is evicted; in characters. */
export const MAX_DESCRIPTION = 2_000;

export type EpisodeKind = "expl" | "act";

export type DelimiterCommand =
	| { readonly type: "start"; readonly name: string; readonly kind: "expl" }
	| {
			readonly type: "start";
			readonly name: string;
			readonly kind: "act";
			readonly dependencies: readonly string[];
	  }
	| { readonly type: "end"; readonly description?: string; readonly isKept?: true };

/** The state of the protocol: the open episode, and every name ever used with its kind. */
export interface ProtocolState {
	readonly open: { readonly name: string; readonly kind: EpisodeKind } | undefined;
	readonly kinds: ReadonlyMap<string, EpisodeKind>;
}

export type RejectionCode =
	| "unknown-action"
	| "missing-name"
	| "long-name"
	| "odd-name"
	| "duplicate-name"
	| "unknown-type"
	| "missing-dependencies"
	| "unknown-dependency"
	| "open-dependency"
	| "act-dependency"
	| "expl-with-dependencies"
	| "already-open"
	| "nothing-open"
	| "missing-description"
	| "act-with-description";

export type Decision =
	| { readonly type: "accepted"; readonly command: DelimiterCommand }
	| { readonly type: "rejected"; readonly code: RejectionCode; readonly message: string };

export const emptyProtocol: ProtocolState = { open: undefined, kinds: new Map() };

function reject(code: RejectionCode, message: string): Decision {
	return { type: "rejected", code, message };
}

/** Models fill optional fields with empty strings and lists: those count as absent. */
function textOf(value: unknown): string | undefined {
	if (typeof value !== "string") return undefined;
	const trimmed = value.trim();
	return trimmed === "" ? undefined : trimmed;
}

function namesOf(value: unknown): readonly string[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const names = value.map(textOf).filter((name) => name !== undefined);
	return names.length === value.length ? [...new Set(names)] : undefined;
}

/**
 * Judges a new delimiter call: as `decideDelimiter`, and a name must be short and show as it is. Sessions that were
 * recorded under other bounds fold as before, because the fold asks `decideDelimiter` alone.
 */
export function admitDelimiter(state: ProtocolState, input: UnknownRecord): Decision {
	const name = input.action === "start" ? textOf(input.name) : undefined;
	if (name !== undefined && name.length > MAX_NAME_LENGTH) {
		return reject(
			"long-name",
			`the name has ${name.length} characters, and at most ${MAX_NAME_LENGTH} are allowed: choose a shorter one.`,
		);
	}
	if (name !== undefined && hasOddCharacter(name)) {
		return reject(
			"odd-name",
			`the name ${shown(name)} has line breaks, control or invisible characters: use letters, digits, spaces and punctuation.`,
		);
	}
	return decideDelimiter(state, input);
}

/** The answer to an accepted call; `state` is the one before it. */
export function describeCommand({ open }: ProtocolState, command: DelimiterCommand): string {
	if (command.type === "start") return `started ${command.kind} ${shown(command.name)}`;
	const closed = open ? `ended ${open.kind} ${shown(open.name)}` : "ended";
	const ended = command.isKept ? `${closed}, which is evicted last` : closed;
	const { description = "" } = command;
	if (description.length <= MAX_DESCRIPTION) return ended;
	return `${ended}; of the description's ${description.length} characters the first ${MAX_DESCRIPTION} stay after an eviction, so put what matters first`;
}

/** Quotes a model-supplied value for a message, cut at 80 characters. */
function shown(value: unknown): string {
	if (typeof value === "string") return quoteStart(value, MAX_NAME_LENGTH);
	return printable(JSON.stringify(value)?.slice(0, MAX_NAME_LENGTH) ?? "missing");
}

/**
 * Judge one delimiter call against the protocol (paper 4.2).
 * A rejection is a normal value whose message tells the model how to mend the call; this never throws.
 */
export function decideDelimiter(state: ProtocolState, input: UnknownRecord): Decision {
	if (input.action === "start") return decideStart(state, input);
	if (input.action === "end") return decideEnd(state, input);
	return reject("unknown-action", `action is ${shown(input.action)}: use "start" or "end".`);
}

function decideStart(state: ProtocolState, input: UnknownRecord): Decision {
	const name = textOf(input.name);
	if (name === undefined) {
		return reject("missing-name", 'start needs a name: {"action":"start","name":"...","type":"expl"}.');
	}
	const kind = input.type;
	if (kind !== "expl" && kind !== "act") {
		return reject(
			"unknown-type",
			`type is ${shown(kind)}: use "expl" to gather information or "act" to change things.`,
		);
	}
	if (kind === "act") {
		const refusal = judgeDependencies(state, input.dependencies);
		if (refusal) return refusal;
	} else if (namesOf(input.dependencies)?.length) {
		return reject("expl-with-dependencies", "an expl declares no dependencies: leave them out.");
	}
	if (state.open) return reject("already-open", stillOpen(state.open, "then start this one"));
	if (state.kinds.has(name)) {
		return reject("duplicate-name", `an episode named ${shown(name)} exists: choose a name not used before.`);
	}
	if (kind === "expl") return { type: "accepted", command: { type: "start", name, kind } };
	const dependencies = namesOf(input.dependencies) ?? [];
	return { type: "accepted", command: { type: "start", name, kind, dependencies } };
}

function judgeDependencies(state: ProtocolState, input: unknown): Decision | undefined {
	const names = namesOf(input);
	if (names === undefined) {
		return reject(
			"missing-dependencies",
			`an act needs dependencies, a list of names of closed expl episodes (${knownExpl(state)}); [] if it used none.`,
		);
	}
	for (const name of names) {
		if (state.open?.name === name) {
			return reject("open-dependency", `dependency ${stillOpen(state.open, "then start the act")}`);
		}
		const kind = state.kinds.get(name);
		if (kind === undefined) {
			return reject(
				"unknown-dependency",
				`no episode named ${shown(name)}; closed expl: ${knownExpl(state)}.`,
			);
		}
		if (kind === "act") {
			return reject(
				"act-dependency",
				`${shown(name)} is an act: an act depends on expl episodes only (${knownExpl(state)}).`,
			);
		}
	}
	return undefined;
}

function decideEnd(state: ProtocolState, input: UnknownRecord): Decision {
	if (!state.open) {
		return reject("nothing-open", 'no episode is open: begin one with "start" before the work it covers.');
	}
	const description = textOf(input.description);
	const kept = input.keep === true ? ({ isKept: true } as const) : {};
	if (state.open.kind === "act") {
		if (description === undefined) return { type: "accepted", command: { type: "end", ...kept } };
		return reject(
			"act-with-description",
			`${shown(state.open.name)} is an act: end it without a description, {"action":"end"}.`,
		);
	}
	if (description === undefined) {
		return reject(
			"missing-description",
			`${shown(state.open.name)} is an expl: end it with what was learned, {"action":"end","description":"..."}.`,
		);
	}
	return { type: "accepted", command: { type: "end", description, ...kept } };
}

function stillOpen(open: { readonly name: string; readonly kind: EpisodeKind }, next: string): string {
	const end = open.kind === "expl" ? '{"action":"end","description":"..."}' : '{"action":"end"}';
	return `${shown(open.name)} is still open: call ${end} first, ${next}; both fit in one message.`;
}

function knownExpl(state: ProtocolState): string {
	const names = [...state.kinds]
		.filter(([name, kind]) => kind === "expl" && name !== state.open?.name)
		.map(([name]) => shown(name));
	if (names.length === 0) return "none yet";
	const recent = names.slice(-8).join(", ");
	return names.length > 8 ? `..., ${recent}` : recent;
}

/** The state after an accepted command; the given state does not change. */
export function advanceProtocol(state: ProtocolState, command: DelimiterCommand): ProtocolState {
	return extendProtocol(new Map(state.kinds), command);
}

/** The state after an accepted command, whose name is added to `kinds` in place. */
export function extendProtocol(kinds: Map<string, EpisodeKind>, command: DelimiterCommand): ProtocolState {
	if (command.type === "end") return { open: undefined, kinds };
	kinds.set(command.name, command.kind);
	return { open: { name: command.name, kind: command.kind }, kinds };
}
