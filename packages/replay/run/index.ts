export { createLocalRunner, createThreadRunner } from "./jobs.ts";
export { type Progress, runReplays } from "./run.ts";
export { type ReplayedRequest, replaySession } from "./session.ts";
export { type Arm, armsUnder, createReplayPrompt, openReplay, type ReplaySettings } from "./setup.ts";
