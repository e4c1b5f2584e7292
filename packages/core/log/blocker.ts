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
	/** The exchange in progress, descriptions of evicted episodes, and what open acts depend on. */
	| { readonly code: "in-use"; readonly tokens: number };
