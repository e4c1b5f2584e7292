/** The request of a prompt as data: the tasks phrase it, and the worker parses it back. */

import type { MemoryAssignment } from "./memory/memory-assignment.ts";

export type Assignment = RepositoryAssignment | MemoryAssignment;

/** A request that the repository or its history answers. */
export type RepositoryAssignment =
	/** Give a named constant another value. */
	| { readonly type: "constant"; readonly name: string; readonly value: number }
	/** Fix the one comparison of a named function. */
	| { readonly type: "bug"; readonly name: string; readonly wrong: string; readonly right: string }
	/** Rename an identifier in every file under some folders. */
	| {
			readonly type: "rename";
			readonly from: string;
			readonly to: string;
			readonly folders: readonly string[];
	  }
	/** Rename what an earlier task already renamed; the prompt gives only the name before that. */
	| {
			readonly type: "formerly";
			readonly old: string;
			readonly to: string;
			readonly folders: readonly string[];
	  }
	/** Restore the comparison of a function that an earlier task changed; the prompt does not repeat the operator. */
	| { readonly type: "undo"; readonly name: string }
	/** Add an option to a config file and its interface, and let a function take a local from it. */
	| {
			readonly type: "option";
			readonly option: string;
			readonly value: number;
			readonly config: string;
			readonly settingsType: string;
			readonly name: string;
			readonly local: string;
	  }
	/** Add a constant with a name of the worker's choice to a file. */
	| {
			readonly type: "introduce";
			readonly description: string;
			readonly value: number;
			readonly path: string;
	  }
	/** Give the constant that an earlier task introduced another value; the prompt gives only its description. */
	| { readonly type: "adjust"; readonly description: string; readonly value: number }
	/** Give one such constant the value of another one; the prompt gives only their descriptions. */
	| { readonly type: "match"; readonly description: string; readonly model: string }
	/** Find the value of a constant or the file of a function, and write it into a notes file. */
	| {
			readonly type: "question";
			readonly name: string;
			readonly fact: "value" | "file";
			readonly notes: string;
	  }
	/** Give a constant the value that an earlier answer wrote down. */
	| { readonly type: "reuse"; readonly noted: string; readonly name: string };
