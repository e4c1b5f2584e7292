/** The reasons why a context is still over its budget after a pass, as data: hosts put them into words. */
export type Blocker =
	/** The system prompt and the tool definitions. */
	| { readonly code: "fixed"; readonly tokens: number }
	| { readonly code: "prologue"; readonly tokens: number }
	/** User turns after the prologue. */
	| { readonly code: "user-turns"; readonly tokens: number }
	| {
			readonly code: "open-episode";
			/** Its name. */
			readonly episode: string;
			readonly origin: "declared" | "inferred";
			readonly tokens: number;
	  }
	/** All pinned episodes together; `largest` is the name of the largest of them. */
	| {
			readonly code: "pinned-episodes";
			readonly count: number;
			readonly largest: string;
			readonly tokens: number;
	  }
	/** Expls that an open act depends on. */
	| {
			readonly code: "dependencies";
			/** The name of the act. */
			readonly act: string;
			readonly tokens: number;
	  }
	/** The last answer and its results, as far as their episodes are closed. */
	| { readonly code: "exchange"; readonly tokens: number }
	/** The rest: lines for evicted episodes, and content whose eviction would cost more than it frees. */
	| { readonly code: "in-use"; readonly tokens: number };
