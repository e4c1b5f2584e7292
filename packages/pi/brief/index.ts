export * from "./brief-file.ts";
export * from "./goal-and-constraints.ts";
export * from "./memory-report.ts";
export { repositoryOf, type SavedMemory, updateMemory } from "./project-memory.ts";
export {
	type BriefUpdate,
	carriedBy,
	describeBriefUpdate,
	readCarried,
	startText,
	updateBrief,
} from "./session-brief.ts";
export { findingsOf } from "./session-findings.ts";
export { readWork } from "./work.ts";
