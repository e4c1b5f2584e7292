/** The contract of a policy in a replay: anything that turns a history into the messages to send instead. */
import type { CountTokens } from "#basics";
import type { FixedTokens } from "#core/ledger";
import type { ModelPrices } from "#core/prices";
import type { HostMessage } from "#pi/codec";
import type { RecordedSummary } from "../readers/recorded-session.ts";
import type { MessageSizes } from "../recording/recording.ts";

/** The rules that every request of a replay is checked for. */
export type Rule =
	/** A history within the budget is sent as it is. */
	| "identity"
	/** User messages stay byte for byte, and in order. */
	| "user-turns"
	/** Everything before the model's first word stays. */
	| "prologue"
	/** Nothing is sent that the history does not hold, and nothing out of its order. */
	| "order"
	/** A call and its result leave together. */
	| "pairs"
	/** Evicted content does not come back. */
	| "levels"
	/** Without a pass a request only grows at its tail. */
	| "prefix"
	/** A pass never makes the context larger. */
	| "pass";

/** A model call that a policy made of its own, for a summary say; in tokens. */
export interface ExtraCall {
	/** All input tokens. */
	readonly input: number;
	/** Of those, the tokens that the provider's cache served. */
	readonly cached: number;
	readonly output: number;
}

export interface PolicySettings {
	/** Counts a text once, whoever asks. */
	readonly count: CountTokens;
	/** Counts a message once, whoever asks. */
	readonly sizes: MessageSizes;
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	/** True for an automatic budget. */
	readonly isAuto?: boolean;
	readonly modelPrices?: ModelPrices | undefined;
	/** True for a model that rejects thinking behind a changed prefix; others want that of an open tool loop back. */
	readonly checksThinking?: boolean;
	readonly fixed: FixedTokens;
	/** The folder of the session's workspace; left out if unknown. */
	readonly cwd?: string | undefined;
	/** Summaries that the recorded agent wrote in place of its history, oldest first. */
	readonly summaries: readonly RecordedSummary[];
	/** Writes a summary of messages and of the summary before; left out, a stand-in of a stated size is used. */
	readonly summarize?: (messages: readonly HostMessage[], previous: string | undefined) => string;
}

export interface PolicyRequest {
	readonly messages: readonly HostMessage[];
	/** The history that the policy took them from, where large outputs were shortened when they arrived. */
	readonly given?: readonly HostMessage[];
	/** The context in tokens before and after the pass that was made for this request, if one was. */
	readonly pass: { readonly before: number; readonly after: number } | undefined;
	/** Model calls that were made to decide it; left out by those that make none. */
	readonly extraCalls?: readonly ExtraCall[];
	/**
	 * A page of a recall made after this request, and before the next, in the history that there is by then; left out by
	 * policies without recall.
	 */
	readonly recall?: (query: string, page?: number, history?: readonly HostMessage[]) => string;
}

/** Settings of one request that differ from those at the start. */
export type RequestSettings = Partial<Pick<PolicySettings, "budget" | "modelPrices">>;

export interface ReplayPolicy {
	readonly name: string;
	/** Rules that it breaks by design. */
	readonly exempt: readonly Rule[];
	/** True if it makes passes within the budget where they pay. */
	readonly passesEarly?: boolean | undefined;
	/** Begin a session; the answer takes its requests in order, each the one before and what followed. */
	open(settings: PolicySettings): (history: readonly HostMessage[], now?: RequestSettings) => PolicyRequest;
}
