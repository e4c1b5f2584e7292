/** Replaces pi's system prompt with ours and keeps what pi loaded for the project. */

import type { BuildSystemPromptOptions, ExtensionAPI } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { assemblePrompt } from "#pi";
import type { Runtime } from "./state/runtime.ts";

export function registerPrompt(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("before_agent_start", (event, ctx) => {
		if (!runtime.settings.isEnabled) return undefined;
		const options = { ...event.systemPromptOptions, mark: runtime.injected.mark(ctx) };
		return { systemPrompt: assemblePrompt({ ...options, skills: renderSkills(options) }) };
	});
}

/** Skills are files to read, so they are listed only where the read tool is on, as pi does. */
function renderSkills({ skills, selectedTools }: BuildSystemPromptOptions): string {
	const canRead = !selectedTools || selectedTools.includes("read");
	return canRead && skills && skills.length > 0 ? host.formatSkillsForPrompt(skills) : "";
}
