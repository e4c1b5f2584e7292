/** What a prompt asks for, as data: the tasks phrase it, the worker parses it back. */

export type Assignment =
	/** Give a named constant another value. */
	| { readonly type: "constant"; readonly name: string; readonly value: number }
	/** Mend the one comparison of a named function. */
	| { readonly type: "bug"; readonly name: string; readonly wrong: string; readonly right: string }
	/** Rename an identifier in every file under src and docs. */
	| { readonly type: "rename"; readonly from: string; readonly to: string }
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
	/** Give the constant that an earlier task introduced another value; only its description is told. */
	| { readonly type: "adjust"; readonly description: string; readonly value: number }
	/** Find the value of a constant, or the file of a function, and write it down. */
	| {
			readonly type: "question";
			readonly name: string;
			readonly fact: "value" | "file";
			readonly notes: string;
	  }
	/** Give a constant the value that an earlier answer wrote down. */
	| { readonly type: "reuse"; readonly noted: string; readonly name: string };
