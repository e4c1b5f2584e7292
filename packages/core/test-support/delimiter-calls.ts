/** Calls of the delimiter, and the state of the protocol after them. */
import {
	advanceProtocol,
	type Decision,
	decideDelimiter,
	emptyProtocol,
	type ProtocolState,
} from "../annotation/delimiter.ts";

export type Input = Readonly<Record<string, unknown>>;

export function after(...inputs: readonly Input[]): ProtocolState {
	return inputs.reduce<ProtocolState>((state, input) => {
		const decision = decideDelimiter(state, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		return advanceProtocol(state, decision.command);
	}, emptyProtocol);
}

export function refusal(state: ProtocolState, input: Input): Extract<Decision, { type: "rejected" }> {
	const decision = decideDelimiter(state, input);
	if (decision.type === "accepted") throw new Error("accepted");
	return decision;
}

export const startLook = { action: "start", name: "look", type: "expl" };
export const endLook = { action: "end", description: "found it" };
export const startFix = { action: "start", name: "fix", type: "act", dependencies: ["look"] };
export const endFix = { action: "end" };
