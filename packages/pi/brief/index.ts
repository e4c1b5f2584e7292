export { briefPath, isOfOtherBranch, loadBrief, messageIds, readBrief, writeBrief } from "./brief-file.ts";
export { carriedBy, readCarried } from "./carried.ts";
export {
	addConstraint,
	dueStateText,
	goalOf,
	MAX_GOAL_LENGTH,
	markedLines,
	noteLines,
	readStateText,
	stateOf,
} from "./goal-and-constraints.ts";
export {
	describeMemory,
	describeShare,
	describeUpdate,
	type MemoryReport,
	reportMemory,
} from "./memory-report.ts";
export { repositoryOf, type SavedMemory, updateMemory } from "./project-memory.ts";
export { type BriefUpdate, describeBriefUpdate, startText, updateBrief } from "./session-brief.ts";
export { findingsOf } from "./session-findings.ts";
export { readWork } from "./work.ts";
