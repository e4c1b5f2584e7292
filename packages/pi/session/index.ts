export { createLastGood } from "./last-good.ts";
export { policyByName, policyNames } from "./live-policies.ts";
export {
	DESCRIPTION_ENTRY,
	entryName,
	type LogEntries,
	OUTPUTS_ENTRY,
	PASS_ENTRY,
	PIN_ENTRY,
	PREFIX_ENTRY,
	type RestoredLog,
	readLogEntries,
	STEERING_ENTRY,
	type Steering,
	UNDO_ENTRY,
	type WriteEntry,
} from "./log-entries.ts";
export { createManagedSession, type ManagedSession, type RequestSettings } from "./managed-session.ts";
export type { Undone } from "./plan-undo.ts";
export type { PrefixChange } from "./prefix.ts";
export { type OldSession, readOldSession, type SessionParser } from "./read-only-session.ts";
export type { PassSettings } from "./read-pass.ts";
export { planRelease } from "./release.ts";
export { readHistory } from "./session-history.ts";
export { type Compared, endLastLine, mendSessionFile } from "./session-repair.ts";
export { ORIGIN_ENTRY, originOf, planSoftStart, SOFT_MESSAGE, TURN_MESSAGE } from "./soft-resume.ts";
export { hasRisen, isClosing, planZonePass } from "./zone-pass.ts";
