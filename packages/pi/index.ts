/** Everything that knows what pi's messages and sessions look like, and what a user of pi sees. */

export {
	briefPath,
	loadBrief,
	messageIds,
	readBrief,
	writeBrief,
} from "./brief/brief-file.ts";
export {
	describeMemory,
	describeShare,
	describeUpdate,
	MEMORY_OFF,
	type MemoryReport,
	reportMemory,
} from "./brief/memory-report.ts";
export { repositoryOf, type SavedMemory, updateMemory } from "./brief/project-memory.ts";
export {
	type BriefUpdate,
	describeBriefUpdate,
	listsOf,
	startText,
	updateBrief,
} from "./brief/session-brief.ts";
export { findingsOf } from "./brief/session-findings.ts";
export {
	addConstraint,
	dueStateText,
	goalOf,
	MAX_GOAL_LENGTH,
	markedLines,
	noteLines,
	readStateText,
	stateOf,
} from "./brief/session-state.ts";
export { adaptToApi, isWhole } from "./codec/adapt-to-api.ts";
export { digestArguments, digestOutput } from "./codec/digest.ts";
export {
	contentText,
	customPartsOf,
	failureOf,
	type HostMessage,
	inputTokens,
	isAnswer,
	isRefused,
	lastAnswer,
	OUR_MESSAGES,
	onlyText,
	outputText,
	RECALL_MESSAGE,
	resultPartsOf,
	takeHead,
	toolCallsOf,
	totalUsage,
	userContent,
	userText,
} from "./codec/host-message.ts";
export { argumentText, stringsOf } from "./codec/item-content.ts";
export { countedTexts, messageKey, readMessage } from "./codec/messages.ts";
export { locate } from "./codec/named-files.ts";
export { cutMessage, fadeContent } from "./codec/partial-messages.ts";
export { isSentAs } from "./codec/rendering.ts";
export { soundMessage } from "./codec/repair-message.ts";
export { explainThinkingRefusal, readInvalidThinking } from "./codec/thinking-reports.ts";
export { type CountTokens, countAhead, loadTokenCounter, TOOL_FRAMING } from "./codec/tokens.ts";
export { customData } from "./custom-entries.ts";
export { CwlError, describeFault, messageOf } from "./errors.ts";
export { createDiskCheck, isStillSent, READ_BEFORE, type ReadAnswer } from "./files/disk-recovery.ts";
export { createFileReader, type FileState, type ReadFileState } from "./files/file-state.ts";
export {
	compareManifest,
	describeForModel,
	describeForUser,
	FILES_ENTRY,
	type FileChange,
	fileOfCall,
	findRenames,
	type Manifest,
	readKnowledge,
	readManifest,
} from "./files/manifest.ts";
export { replaceTextFile } from "./files/text-file.ts";
export { type Alert, type AlertInput, newsOf } from "./health/alert.ts";
export {
	countDroppedThinking,
	type DroppedThinking,
	findAlerts,
	noDroppedThinking,
} from "./health/alerts.ts";
export { type Fidelity, measureFidelity } from "./health/fidelity.ts";
export {
	describeHealth,
	describeTurns,
	type HealthReport,
	type HealthRow,
	reportHealth,
	type SessionCosts,
} from "./health/health-report.ts";
export {
	type CheckpointReport,
	describeSession,
	reportState,
	type StateReport,
} from "./health/state-report.ts";
export { findComponentAlerts, findTurnAlerts } from "./health/turn-alerts.ts";
export { addTurn, measureTurn, recallTurns, type TurnMetrics } from "./health/turns.ts";
export { findPrices, type PricedModel } from "./model-prices.ts";
export {
	ANY_TOOL,
	noOutputLimits,
	type OutputLimits,
	type OutputRule,
} from "./outputs/output-limits.ts";
export { extensionFile, packageDirectory } from "./package-directory.ts";
export {
	drawMark,
	type FrameMark,
	frame,
	MARK_ENTRY,
	makeHarmless,
	readMark,
	unframe,
} from "./prompt/frames.ts";
export {
	assembleGuidance,
	assemblePreamble,
	assemblePrompt,
	basePrompt,
	episodeGuidance,
} from "./prompt/prompt.ts";
export { toolText, toolWords } from "./prompt/tool-definitions.ts";
export { answerRecall } from "./recall/answer.ts";
export { redact } from "./redact.ts";
export { noBreakpoints, placeBreakpoints } from "./requests/cache-breakpoints.ts";
export {
	isCacheCold,
	readCacheLifetimes,
	readLastWarming,
	readRetention,
} from "./requests/cache-lifetime.ts";
export { bindsThinking, isManualThinking } from "./requests/thinking-binding.ts";
export {
	type CountedAnswer,
	createTrafficMeter,
	modelName,
	type TrafficMeter,
} from "./requests/traffic-meter.ts";
export {
	explainAutoBudget,
	explainFixedBudget,
	type NamedBlocker,
	nameBlocker,
} from "./screen/budget-text.ts";
export { countOf, formatTokens } from "./screen/figures.ts";
export { nearestName, suggestName } from "./screen/nearest.ts";
export { panelLines } from "./screen/panel.ts";
export { listedEpisodes } from "./screen/panel-episodes.ts";
export { firstPanel, keyOf, type PanelAction, pressKey } from "./screen/panel-keys.ts";
export { boundaryLine, describeMadePass, footerLine, nameEpisodes } from "./screen/status-lines.ts";
export {
	hang,
	type Line,
	oneLine,
	paintLine,
	shorten,
	span,
	type Tone,
	widthOf,
} from "./screen/terminal-text.ts";
export { createLastGood } from "./session/last-good.ts";
export { policyByName, policyNames } from "./session/live-policies.ts";
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
} from "./session/log-entries.ts";
export {
	createManagedSession,
	type ManagedSession,
	type RequestSettings,
} from "./session/managed-session.ts";
export type { PrefixChange } from "./session/prefix.ts";
export { type OldSession, readOldSession, type SessionParser } from "./session/read-only-session.ts";
export type { PassSettings } from "./session/read-pass.ts";
export { planRelease } from "./session/release.ts";
export { readHistory } from "./session/session-history.ts";
export { type Compared, endLastLine, mendSessionFile } from "./session/session-repair.ts";
export {
	ORIGIN_ENTRY,
	originOf,
	planSoftStart,
	SOFT_MESSAGE,
	TURN_MESSAGE,
} from "./session/soft-resume.ts";
export type { Undone } from "./session/undo.ts";
export { hasRisen, type PressureAction, planZonePass } from "./session/zone-pass.ts";
export { type Budget, budgetTokens, formatBudget } from "./settings/budget.ts";
export { hardLimits } from "./settings/components.ts";
export {
	agentDirectory,
	describeSettings,
	type LoadedSettings,
	loadSettings,
} from "./settings/load-settings.ts";
export {
	flags,
	parseBudget,
	readValue,
	STANDARD_ORIGIN,
	settingKeys,
	settingsSchema,
} from "./settings/schema.ts";
export { closestOf } from "./settings/setting.ts";
export { resolveZones, type ZoneAction } from "./settings/zones.ts";
export { defaultToolTable } from "./tool-profiles.ts";
