/**
 * Replay of a recorded session under one policy, through the same engine that manages a live one. The recorded
 * replies never change: what a policy would have made the agent do otherwise is not in any figure.
 */
import type { Graph } from "../packages/core/graph.ts";
import type { FixedTokens } from "../packages/core/ledger.ts";
import type { Pass, View } from "../packages/core/log.ts";
import type { Policy } from "../packages/core/plan.ts";
import { defaultToolTable } from "../packages/core/tool-table.ts";
import type { HostMessage } from "../packages/host/host-message.ts";
import { createManagedSession } from "../packages/host/managed-session.ts";
import type { Recording, Turn } from "./recording.ts";

export interface ReplaySettings {
	readonly policy: Policy;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	/** A clock in ms. */
	readonly now: () => number;
}

export interface ReplayedRequest {
	/** 0-based: the request before the n-th recorded reply. */
	readonly index: number;
	readonly turn: Turn;
	/** The recorded messages that the request is made from. */
	readonly history: readonly HostMessage[];
	/** What is sent instead. */
	readonly messages: readonly HostMessage[];
	readonly pass: Pass | undefined;
	/** How long the policy took to plan, in ms. */
	readonly planMs: number;
	/** Live: as of this request only until the next one is taken. */
	readonly graph: Graph;
	readonly view: View;
}

/** The requests of a session in order, each projected when it is asked for. */
export function* replaySession(recording: Recording, settings: ReplaySettings): Generator<ReplayedRequest> {
	const { session, turns, count } = recording;
	const managed = createManagedSession(count, defaultToolTable);
	const { policy, lastMs } = timePlans(settings.policy, settings.now);
	for (const [index, turn] of turns.entries()) {
		const history = session.messages.slice(0, turn.position);
		const { messages, pass } = managed.request(history, { ...settings, policy });
		const { graph, view } = managed.state();
		yield { index, turn, history, messages, pass, planMs: lastMs(), graph, view };
	}
}

function timePlans(policy: Policy, now: () => number): { policy: Policy; lastMs: () => number } {
	let ms = 0;
	const plan: Policy["plan"] = (input) => {
		const start = now();
		const pass = policy.plan(input);
		ms = now() - start;
		return pass;
	};
	return { policy: { name: policy.name, plan }, lastMs: () => ms };
}
