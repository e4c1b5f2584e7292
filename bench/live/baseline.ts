/**
 * A pi extension for arms without our engine: the prompt, the tools, the git status and the cache breakpoints that arms of `cwl` have,
 * so that nothing but eviction, `delimiter` and `recall` tells the arms apart. pi's own compaction stays as its settings say.
 */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { registerGitStatus } from "../../extensions/cwl/git-status.ts";
import { registerPrompt } from "../../extensions/cwl/prompt.ts";
import { registerProviderRequests } from "../../extensions/cwl/provider-hooks.ts";
import { createRuntime } from "../../extensions/cwl/state/runtime.ts";
import { registerTools } from "../../extensions/cwl/tools.ts";

export default function baseline(pi: ExtensionAPI) {
	const runtime = createRuntime(pi);
	registerPrompt(pi, runtime);
	registerTools(pi, runtime);
	registerGitStatus(pi, runtime);
	registerProviderRequests(pi, runtime);
}
