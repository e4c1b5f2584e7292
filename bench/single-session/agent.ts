/** What carries out the tasks of a run: the real pi, or its loop inside this process. */

export interface Agent {
	/** One user turn; answers with the last thing that was said. Rejects when the agent has ended. */
	ask(prompt: string): Promise<string>;
	/** Begin a new session, which knows nothing of the ones before. */
	renew(): Promise<void>;
	close(): Promise<void>;
}

/** One request as it was sent; all sizes in tokens. */
export interface RequestFigure {
	readonly tokens: number;
	/** What Anthropic's cache served, which knows the ends of earlier requests. */
	readonly cachedTokens: number;
	/** What a cache of prefixes served, as OpenAI has one. */
	readonly prefixTokens: number;
	readonly outputTokens: number;
	readonly isRefused: boolean;
	/** A call that the host made of its own, for a summary. */
	readonly isSummary: boolean;
}

/** What managing the context took for one request. */
export interface OverheadFigure {
	readonly ms: number;
	/** Bytes of heap in use in the agent's process; after a collection where the agent runs in ours. */
	readonly heap: number;
	/** Bytes of it that are the text of the session, which every agent keeps; 0 where that is not known. */
	readonly history: number;
}
