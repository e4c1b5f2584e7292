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
	/** Of those, what the request before began with too. */
	readonly sharedTokens: number;
	/** What the provider's cache served, where there is one that counts. */
	readonly cachedTokens: number;
	readonly outputTokens: number;
	readonly isRefused: boolean;
}

/** What managing the context took for one request. */
export interface OverheadFigure {
	readonly ms: number;
	/** Bytes of heap in use in the agent's process. */
	readonly heap: number;
}
