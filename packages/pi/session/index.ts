export { createLastGood } from "./last-good.ts";
export { policyByName, policyNames } from "./live-policies.ts";
export * from "./log-entries.ts";
export {
	createManagedSession,
	type ManagedSession,
	type NextInput,
	type RequestSettings,
} from "./managed-session.ts";
export type { PrefixChange } from "./prefix.ts";
export { type OldSession, type OtherCall, readOldSession, type SessionParser } from "./read-only-session.ts";
export { type NumberedPass, type PassSettings, passesIn } from "./read-pass.ts";
export { planRelease } from "./release.ts";
export { type CountedAnswer, readHistory } from "./session-history.ts";
export { type Compared, endLastLine, mendSessionFile } from "./session-repair.ts";
export { ORIGIN_ENTRY, originOf, planSoftStart, SOFT_MESSAGE, TURN_MESSAGE } from "./soft-resume.ts";
export { episodesBack, type Undone, withoutLast } from "./undo.ts";
