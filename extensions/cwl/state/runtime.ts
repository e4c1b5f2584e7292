/** The state that the hooks of one running pi share, by subject. The session file is the truth; all of it can be rebuilt. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countOf, readLogEntries } from "#pi";
import { tellProblem } from "../notice.ts";
import { createTokenScale, type TokenScale } from "./budget.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { createEntryLog, type EntryLog } from "./entry-log.ts";
import { type HealthState, healthAtStart } from "./health.ts";
import { createInjectedState, type InjectedState } from "./injected-context.ts";
import { createFixedParts, type FixedParts, type LastRequest, noRequest } from "./requests.ts";
import { createSessionState, type SessionState } from "./session-state.ts";
import { createSettingsState, type SettingsState } from "./settings-state.ts";

export interface Runtime {
	readonly settings: SettingsState;
	readonly session: SessionState;
	/** The user's decisions about this session's content. */
	readonly decisions: Decisions;
	/** The last request of this process. */
	readonly request: LastRequest;
	readonly health: HealthState;
	/** System prompt and tool definitions. */
	readonly fixed: FixedParts;
	/** Converts counted tokens into the provider's tokens. */
	readonly scale: TokenScale;
	/** Injected texts that the model can see. */
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
	const [request, health, fixed] = [noRequest(), healthAtStart(), createFixedParts(pi)];
	const session = createSessionState({ settings, scale, decisions, fixed, request, entries });
	return {
		...{ settings, session, decisions, request, health, fixed, scale, injected, entries },
		async restore(ctx) {
			entries.forget();
			const log = readLogEntries(ctx.sessionManager.getBranch());
			settings.restore(ctx, log.steering);
			scale.meter = undefined;
			injected.restore();
			Object.assign(request, { ...noRequest(), isManualThinking: request.isManualThinking });
			Object.assign(health, { ...healthAtStart(), droppedThinking: health.droppedThinking });
			decisions.restore(log);
			const damaged = await session.restore(ctx, log);
			if (log.unreadable > 0) tellProblem(ctx, "warning", describeUnreadable(log.unreadable));
			if (damaged > 0) tellProblem(ctx, "warning", describeDamaged(damaged));
			for (const problem of settings.loaded.problems) tellProblem(ctx, "warning", problem);
		},
	};
}

function describeDamaged(messages: number): string {
	return `${countOf(messages, "message")} of the session file cannot be read in part; those parts are sent empty.`;
}

function describeUnreadable(entries: number): string {
	const what = countOf(entries, "entry", "entries");
	return `${what} of the eviction log cannot be read; what was evicted there is in the context again.`;
}
