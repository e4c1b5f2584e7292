/** All alerts: what is wrong with a session's context, who is to blame, and what can be done. */
import type { ComponentState, RunningHealth } from "#core/health";
import { formatTokens } from "../settings/budget.ts";
import { type ComponentLimits, defaultLimits } from "../settings/component-limits.ts";
import type { Alert, AlertGrade, Show, Standing } from "./alert.ts";
import { findComponentAlerts } from "./component-alerts.ts";
import { type DroppedThinking, findDroppedThinking, noDroppedThinking } from "./dropped-thinking.ts";
import { findLoops, findRegretted } from "./regret-alerts.ts";
import { findBulk, findFloor, findGiants, findOverLimit } from "./size-alerts.ts";
import { findTurnAlerts } from "./turn-alerts.ts";
import type { TurnMetrics } from "./turns.ts";

export interface AlertSources {
	readonly input: Standing;
	readonly health: RunningHealth;
	/** The usual ones unless told. */
	readonly limits?: ComponentLimits;
	/** None unless told. */
	readonly droppedThinking?: DroppedThinking;
	/** The turns of this process, oldest first; none unless told. */
	readonly turns?: readonly TurnMetrics[];
	/** The components that have limits; none unless told. */
	readonly components?: readonly ComponentState[];
	readonly show?: Show;
}

/** Open alerts, the gravest first. */
export function findAlerts(sources: AlertSources): readonly Alert[] {
	const { input, health, limits = defaultLimits, show = formatTokens } = sources;
	const { droppedThinking = noDroppedThinking, turns = [], components = [] } = sources;
	const { graph, view } = input;
	const grades: readonly AlertGrade[] = ["critical", "warning", "notice"];
	const floor = findFloor(input, show);
	const alerts = [
		...floor,
		...findOverLimit(input, limits, floor.length > 0, show),
		...findGiants(input, show),
		...findLoops(input, health.regret.all, show),
		...findRegretted(health, show),
		...findBulk(input, health, show),
		...findDroppedThinking(droppedThinking),
		...findTurnAlerts({ turns, graph, view, show }),
		...findComponentAlerts({ components, graph, view, show }),
	];
	return alerts.toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade));
}
