/** The agent that does the tasks of a run: the real pi, or pi's agent in this process. */

export interface Agent {
	/** Sends a user turn and returns the last answer. Rejects if the agent has ended. */
	ask(prompt: string): Promise<string>;
	/** Begins a new, empty session. */
	renew(): Promise<void>;
	close(): Promise<void>;
}

/** One request as it was sent; all sizes in tokens. */
export interface RequestFigure {
	readonly tokens: number;
	/** Tokens from Anthropic's cache, which knows the ends of earlier requests. */
	readonly cachedTokens: number;
	/** Tokens from a cache of prefixes such as OpenAI's. */
	readonly prefixTokens: number;
	readonly outputTokens: number;
	readonly isRefused: boolean;
	/** True for a call that pi made for a summary. */
	readonly isSummary: boolean;
}
