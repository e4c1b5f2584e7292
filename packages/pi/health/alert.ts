/** An open problem of a session's context, and what every kind of alert is found in. */
import type { PlanInput } from "#core/planning";
import { quoteStart } from "#core/transcript";

/** `critical`: the budget cannot hold. `warning`: the session gets worse until somebody acts. `notice`: worth knowing. */
export type AlertGrade = "critical" | "warning" | "notice";

export interface Alert {
	/** The same for as long as it is the same trouble; an alert is shown once by it. */
	readonly id: string;
	readonly grade: AlertGrade;
	readonly text: string;
	readonly remedy: string;
	/** True for what is still usual: `/cwl health`, events and telemetry have it, and nobody is interrupted. */
	readonly isQuiet?: true;
}

/**
 * The key under which an alert is to be kept, and whether it is open for the first time; undefined where nobody has to hear
 * of it again. An alert that was quiet and is loud now is shown, and is no second event.
 */
export function alertToRaise(
	{ id, isQuiet }: Pick<Alert, "id" | "isQuiet">,
	raised: ReadonlySet<string>,
): { readonly key: string; readonly isFirst: boolean } | undefined {
	const quiet = `${id}, quiet`;
	const key = isQuiet ? quiet : id;
	return raised.has(id) || raised.has(key) ? undefined : { key, isFirst: !raised.has(quiet) };
}

/** The session as it is sent. */
export type AlertInput = Pick<
	PlanInput,
	"graph" | "view" | "fixed" | "budget" | "pinned" | "tools" | "prices"
>;

/** Formats a counted size for people. */
export type Show = (tokens: number) => string;

/** In characters. */
const MAX_NAME_LENGTH = 60;

/** The name of an episode, file or tool, quoted and short enough for one line. */
export function shortName(text: string): string {
	return quoteStart(text, MAX_NAME_LENGTH);
}
