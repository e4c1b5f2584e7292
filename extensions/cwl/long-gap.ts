/** A session that rested for long is cheaper and less out of date when a fresh one goes on from it: its user learns so. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { describeGap, formatTokens, inputTokens, lastAnswer } from "#pi";
import { tellNotice } from "./notice.ts";
import type { Runtime } from "./state/runtime.ts";

/** Smaller sessions cost little to go on with; in tokens. */
const MIN_SIZE = 10_000;

export function registerLongGap(pi: ExtensionAPI, runtime: Runtime) {
	pi.on("session_start", (_event, ctx) => {
		if (!runtime.settings.isEnabled) return;
		const suggestion = suggest(ctx, Date.now());
		if (suggestion !== undefined) tellNotice(ctx, suggestion);
	});
}

function suggest({ sessionManager }: ExtensionContext, now: number): string | undefined {
	const messages = sessionManager.getBranch().flatMap((entry) => (entry.type === "message" ? [entry] : []));
	const rested = describeGap(messages.at(-1)?.timestamp, now);
	const answer = lastAnswer(messages.map(({ message }) => message));
	const size = answer ? inputTokens(answer) : 0;
	if (rested === undefined || size < MIN_SIZE) return undefined;
	return `this session rested for ${rested}. \`cwl resume --soft\` starts a fresh one from its checkpoint instead of ${formatTokens(size)} tokens of history.`;
}
