/**
 * Git status for the model, appended when it changed and kept in its place: a text that is rewritten from turn
 * to turn would break the provider's prefix cache. It leaves the context with the episode that it is in.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { loadTokenCounter } from "#pi/codec";
import { makeHarmless } from "#pi/prompt";
import type { StatusWatcher } from "#workspace";
import { createQueue, importInTurn } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

/** The longest time, in ms, that a request waits for git and for the code that asks it. Later answers are sent at the next opportunity. */
const WAIT_MS = 150;
/** Tools that cannot change a file. */
export const harmlessTools = new Set(["read", "glob", "grep", "find", "ls", "delimiter", "recall"]);

export function registerGitStatus(pi: ExtensionAPI, runtime: Runtime) {
	let watcher: StatusWatcher | undefined;
	/** Parallel tool results ask one after the other, so that one change is sent once. */
	const inTurn = createQueue();

	async function readChanged(ctx: ExtensionContext): Promise<string | undefined> {
		const since = performance.now();
		const { createStatusWatcher, formatGitStatus } = await importInTurn(() => import("#workspace"));
		const wait = WAIT_MS - (performance.now() - since);
		watcher ??= createStatusWatcher(ctx.cwd);
		// The request needs the tokenizer anyway; it loads while git runs.
		const count = await loadTokenCounter();
		const current = await watcher.current(wait);
		if (current.type === "unavailable" && current.reason === "deadline") return undefined;
		const status = makeHarmless(formatGitStatus(current, count));
		const visible = await runtime.injected.visible(ctx);
		if (withoutMark(status) === withoutMark(visible["git-status"])) return undefined;
		visible["git-status"] = status;
		return status;
	}

	async function changed(ctx: ExtensionContext): Promise<string | undefined> {
		if (!runtime.settings.isEnabled) return undefined;
		watcher?.invalidate();
		return await inTurn(() => readChanged(ctx));
	}

	pi.on("session_start", () => {
		watcher = undefined;
	});
	runtime.injected.withTurns("git-status", changed);
	runtime.injected.withResults("git-status", async (ctx, { toolName }) =>
		harmlessTools.has(toolName) ? undefined : await changed(ctx),
	);
}

/** Drops the mark of a stale status: it is no change of the repository, so the same status is not sent again. */
function withoutMark(status: string): string {
	return status.replace(/^(.*), stale: git had not answered yet$/m, "$1");
}
