/** A session under management that reads large outputs as they are sent. */
import type { ToolTable } from "#core/transcript";
import { type Arrivals, createArrivals } from "../codec/arrivals.ts";
import type { HostMessage } from "../codec/host-message.ts";
import type { CountTokens } from "../codec/tokens.ts";
import { createManagedSession, type ManagedSession } from "../session/managed-session.ts";
import type { HistoryStep } from "../session/session-history.ts";
import type { OutputRule } from "./output-limits.ts";

export interface BoundedSession extends ManagedSession, Arrivals {}

export interface BoundedSettings {
	/** The rules of the session's branch, oldest first. */
	readonly outputs?: readonly OutputRule[];
	/** The folder of the session's workspace, which relative paths start from. */
	readonly cwd?: string | undefined;
}

/** Everything that reads messages is given whole outputs, and reads them as they are sent. */
export function createBoundedSession(
	count: CountTokens,
	tools: ToolTable,
	{ outputs = [], cwd = "" }: BoundedSettings = {},
): BoundedSession {
	const session = createManagedSession(count, tools, cwd);
	const arrivals = createArrivals(count, tools, outputs);
	const { asSent } = arrivals;
	return {
		...session,
		...arrivals,
		sync: (messages) => session.sync(asSent(messages)),
		request: (messages, settings) => session.request(asSent(messages), settings),
		requestWhole: (messages, settings) => session.requestWhole(asSent(messages), settings),
		undo: (messages, settings) => session.undo(asSent(messages), settings),
		inspect(messages) {
			const sent = asSent(messages);
			const inspection = session.inspect(sent);
			const items = inspection.graph.messages.flatMap((message, index) =>
				sent[index] === messages[index] ? [] : message.items,
			);
			return { ...inspection, shortened: new Set(items.map(({ id }) => id)) };
		},
		preview: (messages) => session.preview(asSent(messages)),
		planInput: (messages, settings) => session.planInput(asSent(messages), settings),
		recount: (history, fixed) => session.recount(stepsAsSent([...history], asSent), fixed),
	};
}

function stepsAsSent(steps: readonly HistoryStep[], asSent: Arrivals["asSent"]): readonly HistoryStep[] {
	const messages = steps.flatMap((step): readonly HostMessage[] =>
		step.type === "message" ? [step.message] : [],
	);
	const sent = asSent(messages).values();
	return steps.map((step) =>
		step.type === "message" ? { ...step, message: sent.next().value ?? step.message } : step,
	);
}
