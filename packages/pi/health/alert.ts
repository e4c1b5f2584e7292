/** An open problem of a session's context, and what every kind of alert is found in. */
import { quoteStart } from "#basics";
import type { PlanInput } from "#core/planning";
import { digestOf, type ToolCall } from "#core/transcript";
import type { Sizes } from "../screen/sizes.ts";

/** `critical`: the budget, or the hard limit of a component, cannot hold. `warning`: the session gets worse until somebody acts. `notice`: worth knowing. */
export type AlertGrade = "critical" | "warning" | "notice";

export interface Alert {
	/** It stays the same while the problem lasts, so that each alert is shown once. */
	readonly id: string;
	readonly grade: AlertGrade;
	readonly text: string;
	readonly remedy: string;
}

/** The session as it is sent. */
export type AlertInput = Pick<
	PlanInput,
	"graph" | "view" | "fixed" | "budget" | "pinned" | "tools" | "prices"
>;

/** A session, and how its sizes are shown. */
export type Shown<T = AlertInput> = T & { readonly sizes: Sizes };

/** The unit is characters. */
const MAX_NAME_LENGTH = 60;

/** The tool of a call, and the file that it is about. */
export function callName(call: ToolCall): string {
	return [call.tool, ...(digestOf(call)?.paths.slice(0, 1) ?? [])].join(" ");
}

/** The name of an episode, file or tool, quoted and short enough for one line. */
export function shortName(text: string): string {
	return quoteStart(text, MAX_NAME_LENGTH);
}
