/** Requests about facts that no file holds: those that give such a fact, and those that need one later. */

export type MemoryAssignment =
	/** The user gives a code in passing, or a new one for the same subject. */
	| { readonly type: "told"; readonly subject: string; readonly code: string; readonly notes: string }
	/** Write down the latest code of a subject. */
	| { readonly type: "recite"; readonly subject: string; readonly notes: string }
	/** Write down the first code of a subject whose code has changed since. */
	| { readonly type: "first"; readonly subject: string; readonly notes: string }
	/** The user shows an exact wording. */
	| { readonly type: "show"; readonly title: string; readonly wording: string; readonly notes: string }
	/** Put such a wording into a file. */
	| { readonly type: "insert"; readonly title: string; readonly path: string }
	/** Give a constant another value, for a stated reason. */
	| { readonly type: "decide"; readonly name: string; readonly value: number; readonly reason: string }
	/** Write down the reason of a decision. */
	| { readonly type: "why"; readonly name: string; readonly value: number; readonly notes: string }
	/** Run a script that prints a long log, once. */
	| { readonly type: "deploy"; readonly label: string }
	/** Write down an id that the log of a deployment showed. */
	| { readonly type: "release"; readonly label: string; readonly notes: string }
	/** Change a constant as the log of a deployment advised. */
	| { readonly type: "advise"; readonly label: string }
	/** Add up a figure over the logs of all deployments so far. */
	| { readonly type: "total"; readonly notes: string };
