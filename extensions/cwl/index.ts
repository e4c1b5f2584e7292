/** Context Window Lifecycle for pi: one session without end, under a token budget. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { packageDirectory } from "#pi";
import { registerAlerts } from "./alerts.ts";
import { registerCacheBreakpoints } from "./cache-breakpoints.ts";
import { registerCommands } from "./commands.ts";
import { registerCompactionGuard } from "./compaction-guard.ts";
import { registerDroppedThinking } from "./dropped-thinking.ts";
import { registerStatus } from "./footer.ts";
import { registerGitStatus } from "./git-status.ts";
import { registerGoal } from "./goal.ts";
import { registerLongGap } from "./long-gap.ts";
import { registerLoopGuard } from "./loop-guard.ts";
import { registerManifest } from "./manifest.ts";
import { registerMemory } from "./memory.ts";
import { registerNudges } from "./nudges.ts";
import { registerOverflowRecovery } from "./overflow.ts";
import { registerPrompt } from "./prompt.ts";
import { registerTransform } from "./request-transform.ts";
import { registerRestore } from "./restore.ts";
import { registerSessionFile } from "./session-file.ts";
import { registerSoftResume } from "./soft-resume.ts";
import { createRuntime } from "./state/runtime.ts";
import { registerTelemetry } from "./telemetry.ts";
import { registerThinkingMode } from "./thinking-mode.ts";
import { registerTools } from "./tools.ts";

export default function cwl(pi: ExtensionAPI) {
	if (isSecondCopy()) return;
	const runtime = createRuntime(pi);
	registerSessionFile(pi);
	registerSoftResume(pi, runtime);
	registerRestore(pi, runtime);
	registerLongGap(pi, runtime);
	registerPrompt(pi, runtime);
	registerTools(pi, runtime);
	registerNudges(pi, runtime);
	registerGitStatus(pi, runtime);
	registerGoal(pi, runtime);
	registerManifest(pi, runtime);
	registerMemory(pi, runtime);
	registerLoopGuard(pi, runtime);
	registerTransform(pi, runtime);
	registerStatus(pi, runtime);
	registerDroppedThinking(pi, runtime);
	registerAlerts(pi, runtime);
	registerThinkingMode(pi, runtime);
	registerCacheBreakpoints(pi, runtime);
	registerOverflowRecovery(pi, runtime);
	registerCompactionGuard(pi, runtime);
	registerTelemetry(pi, runtime);
	registerCommands(pi, runtime);
}

/** Returns true if the `cwl` program loads another copy, whose folder it names here: pi refuses a tool that is registered twice. */
function isSecondCopy(): boolean {
	const first = process.env.CWL_HOST_EXTENSION;
	return first !== undefined && first !== "" && packageDirectory() !== first;
}
