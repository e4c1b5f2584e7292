export { type Arm, armsUnder } from "./arms.ts";
export { createLocalRunner, createThreadRunner } from "./jobs.ts";
export { type Progress, runReplays } from "./run.ts";
export { type ReplayedRequest, replaySession } from "./session.ts";
export { createReplayPrompt, openReplay, type ReplaySettings } from "./setup.ts";
