export * from "./brief-file.ts";
export * from "./goal-and-constraints.ts";
export * from "./memory-report.ts";
export { repositoryOf, type SavedMemory, updateMemory } from "./project-memory.ts";
export {
	type BriefUpdate,
	describeBriefUpdate,
	readCarried,
	updateBrief,
} from "./session-brief.ts";
export { findingsOf } from "./session-findings.ts";
export { readWork } from "./work.ts";
export { type GitPlace, workText } from "./work-text.ts";
