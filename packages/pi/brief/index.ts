export * from "./brief-file.ts";
export type { GitPlace } from "./brief-text.ts";
export * from "./goal-and-constraints.ts";
export * from "./memory-report.ts";
export { repositoryOf, type SavedMemory, updateMemory } from "./project-memory.ts";
export {
	type BriefUpdate,
	describeBriefUpdate,
	readCarried,
	startText,
	updateBrief,
} from "./session-brief.ts";
export { findingsOf } from "./session-findings.ts";
export { readWork } from "./work.ts";
