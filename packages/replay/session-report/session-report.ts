/** A session as its report shows it: plain data, from its file alone. */
import type { OldSession } from "#pi/session";
import type { ReportSettings } from "./costs.ts";
import { measureSession } from "./measure-session.ts";
import { describeVerdict } from "./verdict.ts";

export type SessionReport = ReturnType<typeof reportSession>;

/** Read a whole session. Everything is counted again, so it takes as long as counting its tokens takes. */
export function reportSession(given: OldSession, settings: ReportSettings) {
	const measured = measureSession(given, settings);
	/** `verdict` is the answer in a sentence or two. */
	return { ...measured, verdict: describeVerdict(measured) };
}
