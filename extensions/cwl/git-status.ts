/**
 * Git status for the model, appended when it changed and kept where it stands: a text that is rewritten from turn
 * to turn would break the provider's prefix cache. It leaves the context with the episode it stands in.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { HostMessage } from "../../packages/host/host-message.ts";
import { contentText, OUR_MESSAGES } from "../../packages/host/messages.ts";
import type { GitStatus } from "../../packages/workspace/git-status.ts";
import type { StatusWatcher } from "../../packages/workspace/git-watcher.ts";
import type { Runtime } from "./runtime.ts";

const GIT_MESSAGE = `${OUR_MESSAGES}git`;
const OPEN = "<git-status>\n";
const CLOSE = "\n</git-status>";
/** Tools that cannot change the state of the repository. */
const harmless = new Set(["read", "glob", "grep", "find", "ls", "delimiter", "recall"]);

export function registerGitStatus(pi: ExtensionAPI, runtime: Runtime) {
	let watcher: StatusWatcher | undefined;
	/** Parallel tool results ask one after the other, so that one change is told once. */
	let turn: Promise<unknown> = Promise.resolve();

	async function changed(ctx: ExtensionContext): Promise<string | undefined> {
		const { createStatusWatcher } = await import("../../packages/workspace/git-watcher.ts");
		const { formatGitStatus } = await import("../../packages/workspace/status-text.ts");
		watcher ??= createStatusWatcher(ctx.cwd);
		runtime.shownStatus ??= lastShown(await runtime.visibleMessages(ctx));
		const known = lastAnswer(await watcher.current());
		if (!known) return undefined;
		const status = formatGitStatus(known);
		if (status === runtime.shownStatus) return undefined;
		runtime.shownStatus = status;
		return `${OPEN}${status}${CLOSE}`;
	}

	function inTurn<T>(work: () => Promise<T>): Promise<T> {
		const next = turn.then(work);
		turn = next.catch(() => undefined);
		return next;
	}

	pi.on("session_start", () => {
		watcher = undefined;
	});
	pi.on("before_agent_start", async (_event, ctx) => {
		if (!runtime.loaded.settings.enabled) return undefined;
		watcher?.invalidate();
		const content = await inTurn(() => changed(ctx));
		return content === undefined
			? undefined
			: { message: { customType: GIT_MESSAGE, content, display: false } };
	});
	pi.on("tool_result", async (event, ctx) => {
		if (!runtime.loaded.settings.enabled || harmless.has(event.toolName)) return undefined;
		watcher?.invalidate();
		const status = await inTurn(() => changed(ctx));
		return status === undefined ? undefined : { content: [...event.content, { type: "text", text: status }] };
	});
}

/** What git answered last, if anything yet: how fast it answers is no change of the repository. */
function lastAnswer(status: GitStatus): GitStatus | undefined {
	if (status.type === "repository") return { ...status, stale: false };
	return status.type === "unavailable" && status.reason === "deadline" ? undefined : status;
}

/** The status that the model can still see, "" without any. */
export function lastShown(messages: readonly HostMessage[]): string {
	for (const message of messages.toReversed()) {
		const text = statusIn(message);
		if (text?.startsWith(OPEN) && text.endsWith(CLOSE)) return text.slice(OPEN.length, -CLOSE.length);
	}
	return "";
}

function statusIn(message: HostMessage): string | undefined {
	if (message.role === "custom" && message.customType === GIT_MESSAGE) return contentText(message.content);
	if (message.role !== "toolResult") return undefined;
	const last = message.content.at(-1);
	return last?.type === "text" ? last.text : undefined;
}
