export { withLongerAnswers } from "./answer-length.ts";
export * from "./commit-worker.ts";
export { DEPLOY_SCRIPT, ID_LINE } from "./deployment.ts";
export { type Assignment, parseAssignment, phraseAssignment } from "./kinds.ts";
export { createRandom } from "./random.ts";
export * from "./repository.ts";
export type { NewCall } from "./toolbox.ts";
export { createWorker } from "./worker.ts";
