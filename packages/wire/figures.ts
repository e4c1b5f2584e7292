/** The passes and figures that the engine reports, as types that need nothing of Node. */
import type { Pass } from "#core";

/** Sizes in tokens as the provider counts them. */
export interface PassEvent {
	/** The name of the conversation: a hash of what it begins with. */
	readonly conversation: string;
	readonly pass: Pass;
	/** The request as the agent sent it, and as it is sent on. */
	readonly received: number;
	readonly sent: number;
}

export type Mode = "observe" | "enforce";

/** Input of one kind of requests, with a prompt cache that holds all that the request before sent. In tokens. */
export interface InputFigures {
	readonly tokens: number;
	/** Part of `tokens`. */
	readonly cached: number;
	/** In tokens of plain, uncached input at the provider's prices. */
	readonly cost: number;
}

export interface ConversationFigures {
	readonly name: string;
	readonly endpoint: string;
	readonly requests: number;
	readonly passes: number;
	/** Tokens of the last request as the agent sent it, and with evictions. */
	readonly received: number;
	readonly projected: number;
}

export interface Status {
	readonly version: 1;
	readonly mode: Mode;
	/** In tokens; the most that an automatic one may choose. */
	readonly budget: number;
	readonly budgetMode: "auto" | "fixed";
	readonly requests: number;
	readonly passes: number;
	/** Requests that asked for a message thread and were refused. */
	readonly threads: number;
	/** Requests that passed unread, by reason. */
	readonly unread: Readonly<Record<string, number>>;
	/** All requests as the agents sent them, and with evictions. */
	readonly received: InputFigures;
	readonly projected: InputFigures;
	/** The largest request as an agent sent it, in tokens; 0 before the first that was read. */
	readonly largest: number;
	/** The most recent first. */
	readonly conversations: readonly ConversationFigures[];
}
