/**
 * Strict, cache-true model servers on 127.0.0.1 with scripted models, for tests, demo and bench. Not shipped.
 *
 * `startLoopback({ model })` starts a server. Its `records()` hold tokens, cost and stale thinking of every request.
 * `writeAgentDirectory` and `startPiProcess` connect a real pi to it.
 *
 * The rule of preserved thinking works without HTTP, on requests as they go over the wire:
 * - `findStaleThinking(api, body)` returns the blocks that a checking provider rejects, with path and reason.
 * - `sealAnswer(api, body, answer)` signs the thinking of an answer to `body`; call it when the answer is produced.
 */

export { fieldsOf, objectsOf, stringOf } from "./json.ts";
export {
	echo,
	type ModelCall,
	type ModelMessage,
	type ModelReply,
	type ModelRequest,
	playlist,
	type ScriptedModel,
	scripted,
	type ToolDefinition,
} from "./model.ts";
export { LOOPBACK_PROVIDER, writeAgentDirectory } from "./pi-driver/agent-directory.ts";
export {
	type PiEvent,
	type PiProcess,
	type PiProcessOptions,
	startPiProcess,
} from "./pi-driver/pi-process.ts";
export { anthropicRules, checkLoopThinking, checkOwnLoopThinking } from "./provider-rules/anthropic.ts";
export { completionsRules } from "./provider-rules/completions.ts";
export { checkStepsSigned, googleRules } from "./provider-rules/google.ts";
export { responsesRules } from "./provider-rules/responses.ts";
export type { Refusal, Rule } from "./refusal.ts";
export { itemId, reasoningId, signUnbound } from "./seal.ts";
export type { Fault } from "./server/exchange.ts";
export { type RequestRecord, totalRecords } from "./server/exchange.ts";
export { type Loopback, startLoopback } from "./server/server.ts";
export {
	findStaleThinking,
	sealAnswer,
} from "./thinking/stale.ts";
export { countTokens } from "./tokens.ts";
export type { ApiName } from "./wire/api.ts";
export {
	askForCommit,
	type Commit,
	type CommitFile,
	createCommitWorker,
	findRequests,
	type Hunk,
} from "./worker/commit-worker.ts";
export { DEPLOY_SCRIPT, ID_LINE } from "./worker/deployment.ts";
export type { Assignment } from "./worker/phrasing.ts";
export { parseAssignment, phraseAssignment } from "./worker/phrasing.ts";
export { type Answers, answerQuestions, makeQuestions, type Question } from "./worker/questions.ts";
export { createRandom, type Random } from "./worker/random.ts";
export {
	commitAll,
	configure,
	createScratchRepository,
	discardChanges,
	git,
	listChangedFiles,
} from "./worker/repository.ts";
export {
	LINKED_ROUND,
	makeHardTasks,
	makeRecallTasks,
	makeTasks,
	RECALLED_FACTS,
	type Task,
} from "./worker/tasks/tasks.ts";
export type { NewCall } from "./worker/toolbox.ts";
export { createWorker, type WorkerOptions } from "./worker/worker.ts";
