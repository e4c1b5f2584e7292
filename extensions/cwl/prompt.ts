/** Replaces pi's own text in the system prompt with ours, or follows it, and keeps what pi loaded for the project. */

import type { BuildSystemPromptOptions, ExtensionAPI } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { assembleGuidance, assemblePreamble, assemblePrompt } from "#pi/prompt";
import type { Runtime } from "./state/runtime.ts";

export function registerPrompt(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("before_agent_start", (event, ctx) => {
		if (!runtime.settings.isEnabled) return undefined;
		const { systemPromptOptions } = event;
		const { customPrompt, selectedTools } = systemPromptOptions;
		const mark = runtime.injected.mark(ctx);
		const keepsHost = runtime.settings.loaded.settings.prompt === "pi";
		if ("sections" in systemPromptOptions) {
			// A returned prompt would make pi merge all of its system messages into the first one, at every request.
			if (keepsHost) Object.assign(Object(systemPromptOptions.sections), { cwl: assembleGuidance(mark) });
			else systemPromptOptions.customPrompt = assemblePreamble({ customPrompt, mark, selectedTools });
			return undefined;
		}
		if (keepsHost) return { systemPrompt: `${event.systemPrompt}\n\n${assembleGuidance(mark)}` };
		const skills = renderSkills(systemPromptOptions);
		return { systemPrompt: assemblePrompt({ ...systemPromptOptions, mark, skills }) };
	});
}

/** Skills are files to read, so they are listed only where the read tool is on, as pi does. */
function renderSkills({ skills, selectedTools }: BuildSystemPromptOptions): string {
	const canRead = !selectedTools || selectedTools.includes("read");
	return canRead && skills && skills.length > 0 ? host.formatSkillsForPrompt(skills) : "";
}
