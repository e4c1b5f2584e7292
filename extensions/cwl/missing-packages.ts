/** A clone in which nobody has run `npm ci`: the user is told what to run, and pi works as it does without the extension. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { packageDirectory } from "#pi";
import { tellProblem } from "./host.ts";

/** The package without which nothing can be counted; npm installs it with all others. */
const NEEDED = "gpt-tokenizer";

export function lacksPackages(): boolean {
	const { resolve } = createRequire(join(packageDirectory(), "package.json"));
	return !(resolve.paths(NEEDED) ?? []).some((folder) => existsSync(join(folder, NEEDED)));
}

/** Says at each start what to run. */
export function registerMissingPackages(pi: ExtensionAPI) {
	pi.on("session_start", (_event, ctx) => {
		const remedy = `Run: npm ci --prefix '${packageDirectory()}'; then start pi again.`;
		tellProblem(ctx, "warning", `off, because its packages are not installed. ${remedy}`);
		ctx.ui.setStatus("cwl", "cwl off");
	});
}
