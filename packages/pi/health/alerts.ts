/** All alerts of a session, and the count of its answers for which the provider found thinking invalid. */
import { countOf } from "#basics";
import type { ComponentState } from "#core/health";
import { readInvalidThinking } from "../codec/thinking-reports.ts";
import type { BranchEntry } from "../custom-entries.ts";
import type { Sizes } from "../screen/sizes.ts";
import { PASS_ENTRY } from "../session/log-entries.ts";
import type { Alert, AlertGrade, AlertInput } from "./alert.ts";
import { findFloor, findGiants, findLoops } from "./context-alerts.ts";
import type { SecondLooks } from "./second-looks.ts";
import { findComponentAlerts, findFullWindow, isFixed } from "./turn-alerts.ts";
import type { TurnMetrics } from "./turns.ts";

interface AlertSources {
	readonly input: AlertInput;
	readonly looks: SecondLooks;
	readonly sizes: Sizes;
	/** None if left out. */
	readonly droppedThinking?: DroppedThinking;
	/** The turns of this process, oldest first; none if left out. */
	readonly turns?: readonly TurnMetrics[];
	/** The components with their limits; none if left out. */
	readonly components?: readonly ComponentState[];
}

/** Open alerts, the gravest first. */
export function findAlerts({
	input,
	looks,
	sizes,
	droppedThinking = noDroppedThinking,
	turns = [],
	components = [],
}: AlertSources): readonly Alert[] {
	const grades: readonly AlertGrade[] = ["critical", "warning", "notice"];
	const session = { ...input, sizes };
	const floor = findFloor(session);
	// Of what no pass makes smaller, the floor has said it already when it is high, unless a hard limit is urgent.
	const isSaid = ({ component, urgency }: ComponentState) => isFixed(component) && urgency === "normal";
	const limited = components.filter((state) => !floor || !isSaid(state));
	const alerts = [
		floor,
		...findGiants(session),
		findLoops(session, looks.unpaid),
		findDroppedThinking(droppedThinking),
		findFullWindow(session, turns),
		...findComponentAlerts(session, limited),
	].filter((alert) => alert !== undefined);
	return alerts.toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade));
}

/** The unit is requests, unless said otherwise. */
export type DroppedThinking = Readonly<typeof noDroppedThinking>;

export const noDroppedThinking = {
	/** With an invalid block. */
	requests: 0,
	/** The part of them with more invalid blocks than before a pass. */
	afterPass: 0,
	/** Blocks that the last answer reports. */
	lastBlocks: 0,
};

/** Entries by which pi itself changes what comes before later answers. */
const HOST_CHANGES: readonly string[] = ["compaction", "branch_summary", "context_edit"];

/**
 * Counts on the branch, from its beginning. A pass is to blame for blocks that are new with its request; a block that stays invalid is
 * reported with every answer.
 */
export function countDroppedThinking(branch: readonly BranchEntry[]): DroppedThinking {
	let count = noDroppedThinking;
	let isAfterPass = false;
	/** Invalid blocks of the last answer that no pass is to blame for. */
	let earlier = 0;
	for (const entry of branch) {
		if (entry.customType === PASS_ENTRY) isAfterPass = true;
		if (HOST_CHANGES.includes(entry.type)) isAfterPass = false;
		const invalid = readInvalidThinking(entry.message);
		if (!invalid) continue;
		const isOurs = isAfterPass && invalid.changedHistory > earlier;
		if (!isOurs) {
			earlier = invalid.changedHistory;
			isAfterPass = false;
		}
		count = {
			requests: count.requests + (invalid.blocks > 0 ? 1 : 0),
			afterPass: count.afterPass + (isOurs ? 1 : 0),
			lastBlocks: invalid.blocks,
		};
	}
	return count;
}

/** The alert about thinking that was found invalid; undefined without any. */
export function findDroppedThinking({ requests, afterPass }: DroppedThinking): Alert | undefined {
	if (requests === 0) return undefined;
	const dropped = `the provider dropped thinking of ${countOf(afterPass || requests, "request")}`;
	if (afterPass === 0) {
		return {
			id: "thinking-dropped",
			grade: "notice",
			text: `${dropped}, and this did not begin with a pass`,
			remedy:
				"look for another extension that changes old messages; /compact and a switch of the model do it too",
		};
	}
	return {
		id: "thinking-dropped-after-pass",
		grade: "warning",
		text: `${dropped} after a pass; this is a defect of cwl unless another extension changes old messages`,
		remedy:
			"please report it with what /cwl report --json prints; the session continues without that thinking",
	};
}
