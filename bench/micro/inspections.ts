/** Times what a tool call asks a session between two requests: the input of a pass, and the messages that are sent. */
import type { Pass } from "#core/log";
import { type CountTokens, createManagedSession, defaultToolTable, type HostMessage } from "#pi";
import { timeOnce } from "./baselines.ts";
import { requestPoints } from "./generated-session.ts";
import type { MeasureSettings } from "./measure.ts";

export interface InspectionTimes {
	/** In ms. */
	readonly planInputs: readonly number[];
	/** In ms; each of the list that the plan input before it has read. */
	readonly previews: readonly number[];
}

/**
 * Runs the last requests of a session again and asks after each answer, while its calls still wait for their results.
 * `isPassAt` says which requests made the passes of the log. The first reading of the history is not timed.
 */
export function timeInspections(
	messages: readonly HostMessage[],
	log: readonly Pass[],
	isPassAt: readonly boolean[],
	count: CountTokens,
	settings: MeasureSettings,
): InspectionTimes {
	const points = requestPoints(messages).slice(0, -1);
	const first = Math.max(0, points.length - settings.timed);
	const made = isPassAt.slice(0, first).filter(Boolean).length;
	const passes = log.slice(made).values();
	const session = createManagedSession(count, defaultToolTable);
	session.restore(log.slice(0, made));
	session.preview(messages.slice(0, points[first]));
	const times = points.slice(first).map((point, index) => {
		const pass = isPassAt[first + index] ? passes.next().value : undefined;
		if (pass) session.append(pass);
		const given = messages.slice(0, point + 1);
		const planInput = timeOnce(() => session.planInput(given, settings), settings.now);
		return { planInput, preview: timeOnce(() => session.preview(given), settings.now) };
	});
	return {
		planInputs: times.map(({ planInput }) => planInput),
		previews: times.map(({ preview }) => preview),
	};
}
