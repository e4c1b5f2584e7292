/** The state that the hooks of one running pi share, by subject. The session file is the truth; all of it can be rebuilt. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { readLogEntries } from "#pi";
import { tellProblem } from "../notice.ts";
import { createDecisions } from "./decisions.ts";
import { createEntryLog, type EntryLog } from "./entry-log.ts";
import { createInjectedState, type InjectedState } from "./injected-context.ts";
import { createSessionState, type SessionState } from "./session-state.ts";
import { createSettingsState, type SettingsState } from "./settings-state.ts";
import { createTokenScale, type TokenScale } from "./token-scale.ts";

export interface Runtime {
	readonly settings: SettingsState;
	readonly session: SessionState;
	/** Our token counts in the provider's tokens. */
	readonly scale: TokenScale;
	/** Texts of ours that the model can see. */
	readonly injected: InjectedState;
	/** Our entries of the session file. */
	readonly entries: EntryLog;
	/** Rebuild everything from the session's branch. */
	restore(ctx: ExtensionContext): Promise<void>;
}

export function createRuntime(pi: ExtensionAPI): Runtime {
	const entries = createEntryLog(pi);
	const settings = createSettingsState(pi, entries);
	const scale = createTokenScale();
	const injected = createInjectedState(pi, (ctx) => session.visibleMessages(ctx));
	const decisions = createDecisions(pi, entries, {
		reportedBudget: scale.reportedBudget,
		onCut: () => injected.invalidate(),
	});
	const session = createSessionState(pi, settings, scale, decisions, entries);
	return {
		...{ settings, session, scale, injected, entries },
		async restore(ctx) {
			entries.forget();
			const log = readLogEntries(ctx.sessionManager.getBranch());
			settings.restore(ctx, log.steering);
			scale.meter = undefined;
			injected.restore();
			await session.restore(ctx, log);
			if (log.unreadable > 0) tellProblem(ctx, "warning", describeUnreadable(log.unreadable));
			if (session.damaged > 0) tellProblem(ctx, "warning", describeDamaged(session.damaged));
			for (const problem of settings.loaded.problems) tellProblem(ctx, "warning", problem);
		},
	};
}

function describeDamaged(messages: number): string {
	const what = messages === 1 ? "1 message" : `${messages} messages`;
	return `${what} of the session file cannot be read in part; those parts are sent empty.`;
}

function describeUnreadable(entries: number): string {
	const what = entries === 1 ? "1 entry" : `${entries} entries`;
	return `${what} of the eviction log cannot be read; what was evicted there is in the context again.`;
}
