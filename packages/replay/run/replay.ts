/**
 * Replay of a recorded session under one policy. The recorded replies never change: what a policy would have made the
 * agent do otherwise is not in any figure.
 */
import type { FixedTokens } from "#core/ledger";
import type { ModelPrices } from "#core/prices";
import type { HostMessage } from "#pi";
import type { PolicyRequest } from "../policies/replay-policy.ts";
import { kindsFor } from "../recording/annotation.ts";
import type { Recording, Turn } from "../recording/recording.ts";
import type { Arm } from "./setup.ts";

export interface ReplayOptions extends Pick<Arm, "policy" | "budget" | "isAuto"> {
	readonly fixed: FixedTokens;
	/** The prices of the model that the session is replayed as. */
	readonly modelPrices?: ModelPrices | undefined;
	/** True if that model rejects thinking behind a changed prefix. */
	readonly checksThinking?: boolean;
}

export interface ReplayedRequest extends PolicyRequest {
	/** 0-based: the request before the n-th recorded reply. */
	readonly index: number;
	readonly turn: Turn;
	/** The recorded messages that the request is made from. */
	readonly history: readonly HostMessage[];
}

/** The requests of a session in order, each projected when it is asked for. */
export function* replaySession(recording: Recording, options: ReplayOptions): Generator<ReplayedRequest> {
	const { session, turns, count, sizes } = recording;
	const { summaries = [], cwd } = session;
	const kinds = kindsFor(recording.annotation);
	const project = options.policy.open({
		...{ ...options, count, sizes, summaries, kinds },
		...(cwd !== undefined && { cwd }),
	});
	for (const [index, turn] of turns.entries()) {
		const history = session.messages.slice(0, turn.position);
		yield { index, turn, history, ...project(history) };
	}
}
