/** Replaces pi's own text in the system prompt with ours, or follows it, and keeps what pi loaded for the project. */

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
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
		// Skills are files to read, so they are listed only where the read tool is on, as pi does.
		const canRead = selectedTools?.includes("read") ?? true;
		const skills = canRead ? host.formatSkillsForPrompt(systemPromptOptions.skills ?? []) : "";
		return { systemPrompt: assemblePrompt({ ...systemPromptOptions, mark, skills }) };
	});
}
