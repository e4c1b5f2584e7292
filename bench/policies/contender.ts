/** What a replay compares: anything that turns a history into the messages to send instead. */
import type { FixedTokens } from "../../packages/core/ledger.ts";
import type { HostMessage } from "../../packages/host/host-message.ts";
import type { CountTokens } from "../../packages/host/tokens.ts";
import type { Rule } from "../metrics/rules.ts";

interface ContenderSettings {
	readonly count: CountTokens;
	/** Tokens. */
	readonly budget: number;
	readonly fixed: FixedTokens;
	/** A clock in ms. */
	readonly now: () => number;
}

export interface ContenderRequest {
	readonly messages: readonly HostMessage[];
	/** The context in tokens before and after the pass that was made for this request, if one was. */
	readonly pass: { readonly before: number; readonly after: number } | undefined;
	/** How long it took to decide what leaves, in ms. */
	readonly planMs: number;
}

export interface Contender {
	readonly name: string;
	/** Whether the agent can have back what is gone. */
	readonly canRecall: boolean;
	/** Rules that it breaks by design. */
	readonly exempt: readonly Rule[];
	/** Begin a session; the answer takes its requests in order. */
	open(settings: ContenderSettings): (history: readonly HostMessage[]) => ContenderRequest;
}
