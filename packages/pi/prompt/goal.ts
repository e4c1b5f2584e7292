/** The goal and constraints of a session: kept outside of its history, so that nothing that evicts can lose them. */
/** Characters; a goal is sent again and again, so it is no place for a document. */
export const MAX_GOAL_LENGTH = 4_000;

/** The text of a goal without white space around it; "" or `none` is none. Undefined for what is no text. */
export function parseGoal(raw: unknown): string | undefined {
	if (typeof raw !== "string") return undefined;
	const goal = raw.trim();
	return goal === "none" ? "" : goal;
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

const OVER = "No goal is in force any more: what stood here before is done or was taken back.";

/**
 * The text for the model: the goal while it is in force; once it is not, a word about that as long as the model can
 * still see one. "" when nothing needs to be said.
 */
export function goalText(goal: Goal | undefined, shown: string): string {
	if (goal && !goal.isDone) return `What the user wants of this session, until it is done:\n${goal.text}`;
	return shown === "" ? "" : OVER;
}
