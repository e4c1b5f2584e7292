import type { Policy } from "../../packages/core/plan.ts";
import { defaultToolTable } from "../../packages/core/tool-table.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import { changesContext, createManagedSession } from "../../packages/host/managed-session.ts";
import type { Contender } from "./contender.ts";
import { createSessionTexts, type SessionTexts } from "./session-texts.ts";

/**
 * A policy of the engine, replayed through the same code that manages a live session. `create` is called once a session.
 */
export function engineContender(name: string, create: (texts: SessionTexts) => Policy): Contender {
	return {
		name,
		canRecall: false,
		exempt: [],
		open({ count, budget, fixed, kinds, now }) {
			let read: readonly HostMessage[] = [];
			const session = createManagedSession(count, kinds);
			const timed = timePlans(create(createSessionTexts((message) => read[message])), now);
			return (history) => {
				read = history;
				const { messages, pass } = session.request(history, { policy: timed.policy, budget, fixed });
				const made = pass && changesContext(pass) ? pass : undefined;
				return { messages, pass: made, planMs: timed.lastMs() };
			};
		},
	};
}

function timePlans(policy: Policy, now: () => number): { policy: Policy; lastMs: () => number } {
	let ms = 0;
	const plan: Policy["plan"] = (input) => {
		const start = now();
		// What kinds the episodes were told by says nothing of what their outputs are worth.
		const pass = policy.plan({ ...input, tools: defaultToolTable });
		ms = now() - start;
		return pass;
	};
	return { policy: { ...policy, plan }, lastMs: () => ms };
}
