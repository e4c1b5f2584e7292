/** The health of the session in this process, as the last checks found it. */
import { type Fidelity, noDroppedThinking, type SessionCosts, type TurnMetrics } from "#pi/health";

export function healthAtStart() {
	return {
		/** Thinking that the provider found invalid. */
		droppedThinking: noDroppedThinking,
		/** The metrics of the turns since pi opened the branch, oldest first. */
		turns: [] as readonly TurnMetrics[],
		/** The entry that the branch ended with then, and the turns before it once they were asked for. */
		openedAt: null as string | null,
		earlier: undefined as Promise<readonly TurnMetrics[]> | undefined,
		/** As of the last pass that was checked; nothing is lost before one. */
		fidelity: { facts: 0, visible: 0, named: 0 } as Fidelity,
		/** As `/cwl health` last found them in a replay; null before that. */
		costs: null as SessionCosts | null,
	};
}
