/** The active task and the constraints of a session, kept outside of its history next to the goal. */
import type { MarkedLine } from "../checkpoint/marked-lines.ts";
import { CwlError } from "../errors.ts";
import { makeHarmless } from "./frames.ts";
import { type Goal, goalText } from "./goal.ts";

/** In characters, and in constraints of one author: the state is sent whenever it changes. */
const MAX_STATE_LENGTH = 300;
const MAX_CONSTRAINTS = 12;

export interface SessionState {
	/** The task in progress, "" for none. */
	readonly task: string;
	/** Set by the user. */
	readonly constraints: readonly string[];
	/** Noted by the model, which cannot take back what the user set. */
	readonly notedConstraints: readonly string[];
}

/** Takes a text back instead of being one, in commands and in marked lines. */
const NONE = "none";

/** The state as the entries of a session have it. What someone else wrote there becomes what `/cwl` could have written. */
export function stateOf({
	task = "",
	constraints = [],
	notedConstraints = [],
}: Partial<SessionState>): SessionState {
	const [line = ""] = cleanLines([task]);
	return {
		task: line,
		constraints: cleanLines(constraints),
		notedConstraints: cleanLines(notedConstraints),
	};
}

/** Each line once and within its bounds, the newest of them; none that is empty or takes something back. */
function cleanLines(lines: readonly string[]): readonly string[] {
	const clean = lines.map(cleanLine).filter((line) => line !== "" && line !== NONE);
	return [...new Set(clean)].slice(-MAX_CONSTRAINTS);
}

function cleanLine(text: string): string {
	return text.replace(/\s+/g, " ").trim().slice(0, MAX_STATE_LENGTH).trim();
}

/**
 * The text for the model: goal, task and constraints that are in force. With a goal alone it is the text of the goal; see
 * `goalText` for what is said once nothing is in force any more.
 */
export function stateText(goal: Goal | undefined, state: SessionState, shown: string): string {
	const { task, constraints, notedConstraints } = state;
	const parts = [
		goal && !goal.isDone ? goalText(goal, shown) : "",
		task === "" ? "" : `Active task: ${task}`,
		listOf("Constraints that the user set:", constraints),
		listOf("Constraints that you noted:", notedConstraints),
	].filter((part) => part !== "");
	return parts.length > 0 ? parts.join("\n") : goalText(goal, shown);
}

/** The text to tell the model now; "" while it sees the state as it is. `shown` is what it was told last, as it was sent. */
export function dueStateText(goal: Goal | undefined, state: SessionState, shown: string): string {
	const text = makeHarmless(stateText(goal, state, shown));
	return text === shown ? "" : text;
}

function listOf(head: string, lines: readonly string[]): string {
	return lines.length === 0 ? "" : [head, ...lines.map((line) => `- ${line}`)].join("\n");
}

/**
 * A user's text for the state, on one line.
 * @throws CwlError `long-state` when it is too long
 */
export function readStateText(what: string, text: string): string {
	const line = text.trim().replace(/\s+/g, " ");
	if (line.length <= MAX_STATE_LENGTH) return line;
	throw new CwlError(
		"long-state",
		`the ${what} has ${line.length} characters: use at most ${MAX_STATE_LENGTH}, and put the rest into a file and name it.`,
	);
}

/**
 * The state with one more constraint of the user's.
 * @throws CwlError `many-constraints` when there is no room
 */
export function addConstraint({ constraints }: SessionState, text: string): readonly string[] {
	const line = readStateText("constraint", text);
	if (constraints.includes(line)) return constraints;
	if (constraints.length < MAX_CONSTRAINTS) return [...constraints, line];
	throw new CwlError(
		"many-constraints",
		`there are ${MAX_CONSTRAINTS} constraints already: /cwl constraint none takes all of them back.`,
	);
}

/** The state after the lines that the model marked; undefined if they change nothing. The newest constraints stay. */
export function noteLines(state: SessionState, lines: readonly MarkedLine[]): SessionState | undefined {
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
