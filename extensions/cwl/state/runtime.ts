/** The state that the hooks of one running pi share, by subject. The session file is the truth; all of it can be rebuilt. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countOf } from "#basics";
import type { Vitals } from "#core/health";
import type { Pass } from "#core/log";
import { type Fidelity, lastBreak, noDroppedThinking, type SessionCosts, type TurnMetrics } from "#pi/health";
import { createQueue, tellNotice, tellProblem } from "../host.ts";
import { createCacheTimer } from "./cache-timer.ts";
import { createDecisions, type Decisions } from "./decisions.ts";
import { createEntryLog } from "./entry-log.ts";
import { createFixedParts } from "./fixed-parts.ts";
import { createGaugeState } from "./gauge.ts";
import { createInjectedState, type InjectedState } from "./injected-context.ts";
import { noRequest } from "./last-request.ts";
import { createSessionState, type SessionState } from "./session-state.ts";
import { createSettingsState } from "./settings-state.ts";

export type Runtime = ReturnType<typeof createRuntime>;

/** A turn of this process, and its growth in the tokens that we count. */
interface MeasuredTurn extends Pick<Vitals, "burn"> {
	readonly turn: TurnMetrics;
}

export function createRuntime(pi: ExtensionAPI) {
	const entries = createEntryLog(pi);
	const settings = createSettingsState(pi, entries);
	const gauge = createGaugeState(settings);
	const injected: InjectedState = createInjectedState(pi, entries, (ctx) => session.visibleMessages(ctx));
	const fixed = createFixedParts(pi, entries, settings);
	const decisions: Decisions = createDecisions(pi, entries, gauge, fixed, () => injected.invalidate());
	const lastRequest = noRequest();
	const health = healthAtStart();
	const cacheTimer = createCacheTimer();
	const brief = {
		/** A turn and its run may end at once, and two saves of the brief would write the same file. */
		inTurn: createQueue(),
		/** The reason why it was last not saved, which the user has seen; undefined once it was saved. */
		problem: undefined as string | undefined,
	};
	const session: SessionState = createSessionState({ settings, gauge, entries, fixed, lastRequest });
	return {
		settings,
		session,
		decisions,
		lastRequest,
		cacheTimer,
		health,
		fixed,
		gauge,
		injected,
		entries,
		brief,
		/** Rebuilds everything from the session's branch. */
		async restore(ctx: ExtensionContext) {
			const log = entries.restore(ctx);
			settings.restore(ctx);
			gauge.meter = undefined;
			fixed.restore();
			injected.restore();
			const { isManualThinking } = lastRequest;
			Object.assign(lastRequest, { ...noRequest(), isManualThinking });
			Object.assign(health, { ...healthAtStart(), droppedThinking: health.droppedThinking });
			const branch = ctx.sessionManager.getBranch();
			health.openedAt = ctx.sessionManager.getLeafId();
			health.brokenAt = branch[lastBreak(branch)]?.id;
			// Those of another branch.
			decisions.takeChanges();
			const damaged = await session.restore(ctx);
			if (log.unreadable > 0) {
				const lost = `${countOf(log.unreadable, "entry", "entries")} of the eviction log cannot be read`;
				tellProblem(ctx, "warning", `${lost}; what was evicted there is in the context again.`);
			}
			if (damaged > 0) {
				const parts = `${countOf(damaged, "message")} of the session file cannot be read in part`;
				tellProblem(ctx, "warning", `${parts}; those parts are sent empty.`);
			}
			for (const problem of settings.loaded.problems) tellProblem(ctx, "warning", problem);
			for (const note of settings.loaded.notes) tellNotice(ctx, note);
		},
	};
}

/** The health of the session in this process, as the last checks found it. */
function healthAtStart() {
	return {
		/** True once pi's own compaction was stopped. */
		isCompactionStopped: false,
		/** Thinking that the provider found invalid. */
		droppedThinking: noDroppedThinking,
		/** The metrics of the turns since pi opened the branch, and since its last break, oldest first. */
		turns: [] as readonly MeasuredTurn[],
		/** The entry of that break; undefined without one. */
		brokenAt: undefined as string | undefined,
		/** The entry that the branch ended with then, and the turns before it once they were asked for. */
		openedAt: null as string | null,
		earlier: undefined as Promise<readonly TurnMetrics[]> | undefined,
		/** The parts that the last measured pass left in sight; nothing is lost before one. */
		measuredPass: undefined as Pass | undefined,
		fidelity: { facts: 0, visible: 0, named: 0 } as Fidelity,
		/** The costs that `/cwl health` last found in a replay; null before that. */
		costs: null as Omit<SessionCosts, "setbacks"> | null,
	};
}
