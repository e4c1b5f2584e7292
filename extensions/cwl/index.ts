/** Context Window Lifecycle for pi: one session without end, under a token budget. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { extensionFile, packageDirectory } from "#pi";
import { registerAlerts } from "./alerts.ts";
import { registerBrief } from "./brief.ts";
import { registerCacheWarming } from "./cache-warming.ts";
import { registerCommands } from "./commands.ts";
import { registerCompactionGuard } from "./compaction-guard.ts";
import { registerStatus } from "./footer.ts";
import { registerGitStatus } from "./git-status.ts";
import { tellProblem } from "./host.ts";
import { registerLoopGuard } from "./loop-guard.ts";
import { registerManifest } from "./manifest.ts";
import { registerMemory } from "./memory.ts";
import { registerNudges } from "./nudges.ts";
import { registerOverflowRecovery } from "./overflow.ts";
import { registerPrompt } from "./prompt.ts";
import { registerDroppedThinking, registerProviderRequests } from "./provider-hooks.ts";
import { registerTransform } from "./request-transform.ts";
import { registerRestore } from "./restore.ts";
import { registerSessionFile } from "./session-file.ts";
import { registerSoftResume } from "./soft-resume.ts";
import { createRuntime } from "./state/runtime.ts";
import { registerTelemetry } from "./telemetry.ts";
import { registerTools } from "./tools.ts";
import { registerZones } from "./zones.ts";

export default function cwl(pi: ExtensionAPI) {
	if (isSecondCopy()) return;
	if (lacksPackages()) return registerMissingPackages(pi);
	const runtime = createRuntime(pi);
	registerSessionFile(pi, runtime);
	registerSoftResume(pi, runtime);
	registerRestore(pi, runtime);
	registerPrompt(pi, runtime);
	registerTools(pi, runtime);
	const askPressure = registerZones(pi, runtime);
	registerNudges(pi, runtime);
	registerGitStatus(pi, runtime);
	registerBrief(pi, runtime);
	registerManifest(pi, runtime);
	registerMemory(pi, runtime);
	registerLoopGuard(pi, runtime);
	registerTransform(pi, runtime, askPressure);
	registerStatus(pi, runtime);
	registerDroppedThinking(pi, runtime);
	registerAlerts(pi, runtime);
	registerProviderRequests(pi, runtime);
	registerCacheWarming(pi, runtime);
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

/** The package without which nothing can be counted: `npm ci` installs it in a clone, and the build of an installed copy contains it. */
const NEEDED = "gpt-tokenizer";

function lacksPackages(): boolean {
	if (!extensionFile().endsWith(".ts")) return false;
	const { resolve } = createRequire(join(packageDirectory(), "package.json"));
	return !(resolve.paths(NEEDED) ?? []).some((folder) => existsSync(join(folder, NEEDED)));
}

/** Says at each start of a clone without installed packages what to run; pi works as it does without the extension. */
function registerMissingPackages(pi: ExtensionAPI) {
	pi.on("session_start", (_event, ctx) => {
		const remedy = `Run: npm ci --prefix '${packageDirectory()}'; then start pi again.`;
		tellProblem(ctx, "warning", `off, because its packages are not installed. ${remedy}`);
		ctx.ui.setStatus("cwl", "cwl off");
	});
}
