/**
 * Goal, active task and constraints of a session: kept outside of its history, so that nothing that evicts can lose them.
 * The user sets all three; the model sets the task and notes constraints with labelled lines of its descriptions.
 */
import type { LabelledLine } from "#core/transcript";
import { refusal } from "../errors.ts";
import { makeHarmless } from "../prompt/frames.ts";

/** Characters; the state is sent whenever it changes, so it is no place for a document. */
export const MAX_GOAL_LENGTH = 4_000;
const MAX_STATE_LENGTH = 300;
/** Constraints of one author. */
const MAX_CONSTRAINTS = 12;

/** Takes a text back instead of being one, in commands and in labelled lines. */
export const NONE = "none";

/** The text of a goal without white space around it; "" or `none` is none. Undefined for what is no text, or too long. */
export function parseGoal(raw: unknown): string | undefined {
	const goal = typeof raw === "string" ? raw.trim() : undefined;
	if (goal === undefined || goal.length > MAX_GOAL_LENGTH) return undefined;
	return goal === NONE ? "" : goal;
}

export interface Goal {
	readonly text: string;
	/** True if it was marked done; it is then no longer sent. */
	readonly isDone: boolean;
}

/** A goal is done when that text was marked done: another text is another goal. Undefined without any. */
export function goalOf(text: string, doneGoal: string | undefined): Goal | undefined {
	return text === "" ? undefined : { text, isDone: text === doneGoal };
}

export interface SessionState {
	/** The task in progress, "" for none. */
	readonly task: string;
	/** Set by the user. */
	readonly constraints: readonly string[];
	/** Noted by the model, which cannot take back what the user set. */
	readonly notedConstraints: readonly string[];
}

/** Follows a constraint that the model noted, where a person reads it. */
export const NOTED = " (noted by the agent)";

/** The constraints of both, as a person reads them. */
export function constraintLines({ constraints, notedConstraints }: SessionState): readonly string[] {
	return [...constraints, ...notedConstraints.map((line) => `${line}${NOTED}`)];
}

/** The state as the entries of a session have it. What someone else wrote there becomes what `/cwl` could have written. */
export function stateOf(given: Partial<SessionState>): SessionState {
	const { constraints = [], notedConstraints = [] } = given;
	const [task = ""] = cleanLines([given.task ?? ""]);
	return { task, constraints: cleanLines(constraints), notedConstraints: cleanLines(notedConstraints) };
}

/** Each line once and within its bounds, the newest of them; none that is empty or takes something back. */
function cleanLines(lines: readonly string[]): readonly string[] {
	const kept = lines.map(cleanLine).filter((line) => line !== "" && line !== NONE);
	return [...new Set(kept)].slice(-MAX_CONSTRAINTS);
}

function cleanLine(text: string): string {
	return text.replace(/\s+/g, " ").trim().slice(0, MAX_STATE_LENGTH).trim();
}

const OVER = "No goal is in force any more: what was here before is done or was taken back.";

/**
 * The text to send now, with goal, task and constraints in force; "" while the model sees the state as it is. Once nothing is in
 * force, a sentence about that as long as the model can still see an earlier text. `shown` is the last text that it still sees.
 */
export function dueStateText(goal: Goal | undefined, state: SessionState, shown: string): string {
	const { task, constraints, notedConstraints } = state;
	const parts = [
		goal && !goal.isDone ? `What the user wants of this session, until it is done:\n${goal.text}` : "",
		task === "" ? "" : `Active task: ${task}`,
		listOf("Constraints that the user set:", constraints),
		listOf("Constraints that you noted:", notedConstraints),
	].filter((part) => part !== "");
	const over = shown === "" ? "" : OVER;
	const text = parts.length > 0 ? makeHarmless(parts.join("\n")) : over;
	return text === shown ? "" : text;
}

function listOf(head: string, lines: readonly string[]): string {
	return lines.length === 0 ? "" : [head, ...lines.map((line) => `- ${line}`)].join("\n");
}

/**
 * A user's text for the state, on one line.
 * @throws CwlError when it is too long
 */
export function readStateText(what: string, text: string): string {
	const line = text.trim().replace(/\s+/g, " ");
	if (line.length <= MAX_STATE_LENGTH) return line;
	throw refusal(
		`the ${what} has ${line.length} characters: use at most ${MAX_STATE_LENGTH}, and put the rest into a file and name it.`,
	);
}

/**
 * The user's constraints with one more.
 * @throws CwlError when there is no room
 */
export function addConstraint(constraints: readonly string[], text: string): readonly string[] {
	const line = readStateText("constraint", text);
	if (constraints.includes(line)) return constraints;
	if (constraints.length < MAX_CONSTRAINTS) return [...constraints, line];
	throw refusal(
		`there are ${MAX_CONSTRAINTS} constraints already: /cwl brief constraint none takes all of them back.`,
	);
}

/** The state after the lines that the model labelled; undefined if they change nothing. The newest constraints stay. */
export function noteLines(state: SessionState, lines: readonly LabelledLine[]): SessionState | undefined {
	let { task } = state;
	const noted = new Set(state.notedConstraints);
	for (const { kind, text } of lines) {
		const line = cleanLine(text);
		if (kind === "task") task = line === NONE ? "" : line;
		if (kind === "constraint" && !state.constraints.includes(line)) noted.add(line);
	}
	const notedConstraints = cleanLines([...noted]);
	const isSame = task === state.task && notedConstraints.join("\n") === state.notedConstraints.join("\n");
	return isSame ? undefined : { ...state, task, notedConstraints };
}
