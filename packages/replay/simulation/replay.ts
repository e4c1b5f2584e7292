/**
 * Replay of a recorded session under one contender. The recorded replies never change: what a policy would have made
 * the agent do otherwise is not in any figure.
 */
import type { FixedTokens } from "#core/ledger";
import type { ModelPrices } from "#core/prices";
import type { HostMessage } from "#pi";
import type { PolicyRequest } from "../policies/replay-policy.ts";
import { kindsFor } from "../recording/annotation.ts";
import type { Recording, Turn } from "../recording/recording.ts";
import type { Arm } from "./arm.ts";

export interface ReplaySettings extends Pick<Arm, "contender" | "budget" | "isAuto"> {
	readonly fixed: FixedTokens;
	/** Of the model that the session is replayed as; policies that reckon with prices do without them if not set. */
	readonly modelPrices?: ModelPrices | undefined;
	/** True if that model rejects thinking behind a changed prefix. */
	readonly checksThinking?: boolean;
	/** A clock in ms. */
	readonly now: () => number;
}

export interface ReplayedRequest extends PolicyRequest {
	readonly planMs: number;
	/** 0-based: the request before the n-th recorded reply. */
	readonly index: number;
	readonly turn: Turn;
	/** The recorded messages that the request is made from. */
	readonly history: readonly HostMessage[];
}

/** The requests of a session in order, each projected when it is asked for. */
export function* replaySession(recording: Recording, settings: ReplaySettings): Generator<ReplayedRequest> {
	const { session, turns, count, sizes } = recording;
	const { summaries = [], cwd } = session;
	const kinds = kindsFor(recording.annotation);
	const project = settings.contender.open({
		...{ ...settings, count, sizes, summaries, kinds },
		...(cwd !== undefined && { cwd }),
	});
	for (const [index, turn] of turns.entries()) {
		const history = session.messages.slice(0, turn.position);
		const start = settings.now();
		const request = project(history);
		yield { index, turn, history, planMs: settings.now() - start, ...request };
	}
}
