/** The request of a prompt as data: the tasks phrase it, and the worker parses it back. */

/** The fields of each kind of request that the repository or its history answers. */
interface RepositoryRequests {
	/** Give a named constant another value. */
	constant: { readonly name: string; readonly value: number };
	/** Fix the one comparison of a named function. */
	bug: { readonly name: string; readonly wrong: string; readonly right: string };
	/** Rename an identifier in every file under some folders. */
	rename: { readonly from: string; readonly to: string; readonly folders: readonly string[] };
	/** Rename what an earlier task already renamed; the prompt gives only the name before that. */
	formerly: { readonly old: string; readonly to: string; readonly folders: readonly string[] };
	/** Restore the comparison of a function that an earlier task changed; the prompt does not repeat the operator. */
	undo: { readonly name: string };
	/** Add an option to a config file and its interface, and let a function take a local from it. */
	option: { readonly [field in "option" | "config" | "settingsType" | "name" | "local"]: string } & {
		readonly value: number;
	};
	/** Add a constant with a name of the worker's choice to a file. */
	introduce: { readonly description: string; readonly value: number; readonly path: string };
	/** Give the constant that an earlier task introduced another value; the prompt gives only its description. */
	adjust: { readonly description: string; readonly value: number };
	/** Give one such constant the value of another one; the prompt gives only their descriptions. */
	match: { readonly description: string; readonly model: string };
	/** Find the value of a constant or the file of a function, and write it into a notes file. */
	question: { readonly name: string; readonly fact: "value" | "file"; readonly notes: string };
	/** Give a constant the value that an earlier answer wrote down. */
	reuse: { readonly noted: string; readonly name: string };
}

/** Requests about facts that no file holds: those that give such a fact, and those that need one later. */
interface MemoryRequests {
	/** The user gives a code in passing, or a new one for the same subject. */
	told: { readonly subject: string; readonly code: string; readonly notes: string };
	/** Write down the latest code of a subject. */
	recite: { readonly subject: string; readonly notes: string };
	/** Write down the first code of a subject whose code has changed since. */
	first: { readonly subject: string; readonly notes: string };
	/** The user shows an exact wording. */
	show: { readonly title: string; readonly wording: string; readonly notes: string };
	/** Put such a wording into a file. */
	insert: { readonly title: string; readonly path: string };
	/** Give a constant another value, for a stated reason. */
	decide: { readonly name: string; readonly value: number; readonly reason: string };
	/** Write down the reason of a decision. */
	why: { readonly name: string; readonly value: number; readonly notes: string };
	/** Run a script that prints a long log, once. */
	deploy: { readonly label: string };
	/** Write down an id that the log of a deployment showed. */
	release: { readonly label: string; readonly notes: string };
	/** Change a constant as the log of a deployment advised. */
	advise: { readonly label: string };
	/** Add up a figure over the logs of all deployments so far. */
	total: { readonly notes: string };
}

type Requests = RepositoryRequests & MemoryRequests;
export type RepositoryKind = keyof RepositoryRequests;
export type MemoryKind = keyof MemoryRequests;

/** A request of one of some kinds. */
export type Of<T extends keyof Requests> = { [K in T]: { readonly type: K } & Requests[K] }[T];

export type Assignment = Of<keyof Requests>;
