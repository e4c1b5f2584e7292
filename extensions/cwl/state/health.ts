/** The health of the session in this process, as the last checks found it. */
import {
	type DroppedThinking,
	type Fidelity,
	noDroppedThinking,
	type SessionCosts,
	type TurnMetrics,
} from "#pi";

export interface HealthState {
	/** Thinking that the provider found invalid. */
	droppedThinking: DroppedThinking;
	/** The metrics of the turns, oldest first. */
	turns: readonly TurnMetrics[];
	/** As of the last pass that was checked; nothing is lost before one. */
	fidelity: Fidelity;
	/** As `/cwl health` last found them in a replay; null before that. */
	costs: SessionCosts | null;
}

export function healthAtStart(): HealthState {
	const fidelity = { facts: 0, visible: 0, named: 0 };
	return { droppedThinking: noDroppedThinking, turns: [], fidelity, costs: null };
}
