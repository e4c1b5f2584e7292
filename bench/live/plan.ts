/** A live run as its parts share it. */
import type { Condition } from "../single-session/conditions.ts";
import type { LiveModel } from "./provider.ts";
import type { Source } from "./run-file.ts";

export interface LivePlan {
	/** The folder of the run; each arm has one in it. */
	readonly folder: string;
	readonly conditions: readonly Condition[];
	readonly source: Source;
	readonly seed: number;
	readonly model: LiveModel;
	/** The path of another extension, for the arm `peer`; empty for none. */
	readonly peer: string;
	/** Milliseconds that a trial may take, and that a provider may say nothing for. */
	readonly limits: { readonly trial: number; readonly silence: number };
	/** Dollars. */
	readonly maxCost: number;
	/** Hours after which no trial begins. */
	readonly hours: number;
	/** Ends a trial in the middle; such a trial is not written down. */
	readonly signal: AbortSignal;
}
