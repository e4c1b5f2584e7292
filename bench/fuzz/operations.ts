/** The operations on a session, as plain data. Every operation is valid in every state, because picks wrap around. */

/** The fate of a call's result. A `late` one follows the message that interrupts the batch; a `missing` one never comes. */
export type Fate = "comes" | "fails" | "late" | "missing" | "twice";

export type Block =
	| { readonly type: "text" | "thinking" | "redacted"; readonly size: number; readonly flavour: number }
	| {
			readonly type: "call";
			readonly tool: number;
			readonly size: number;
			readonly flavour: number;
			readonly fate: Fate;
			/** Use the id of the call before again, as some local servers do. */
			readonly sameId: boolean;
			readonly hasImage: boolean;
	  }
	/** Start or end an episode, whichever the protocol allows; `isWrong` breaks the protocol. */
	| {
			readonly type: "mark";
			readonly kind: "expl" | "act";
			readonly pick: number;
			readonly size: number;
			readonly flavour: number;
			readonly isWrong: boolean;
	  };

/** How an answer ends. */
export type Ending = "well" | "aborted" | "error" | "length";

export type Operation =
	/** A user turn in one of the forms that pi has, or a note from the host. */
	| { readonly type: "say"; readonly form: number; readonly size: number; readonly flavour: number }
	/** An answer with the results of its calls; with `steers`, a user message follows the answer's results. */
	| {
			readonly type: "batch";
			readonly blocks: readonly Block[];
			readonly ending: Ending;
			readonly steers: boolean;
	  }
	/** `zone` is a pass that a zone asks for, made before the request goes out. */
	| { readonly type: "pass" | "zone" | "undo" | "release" | "resume" | "reload" }
	| { readonly type: "evict" | "unpin" | "pin" | "describe"; readonly pick: number }
	| { readonly type: "recall"; readonly pick: number; readonly isByModel: boolean }
	/** In tokens that are characters here. */
	| { readonly type: "budget"; readonly budget: number }
	| { readonly type: "policy" | "outputs" | "components" | "fading"; readonly pick: number }
	| { readonly type: "switch"; readonly isOn: boolean }
	/** Another task and other constraints. */
	| { readonly type: "state"; readonly size: number; readonly flavour: number }
	/** Continue with the model of another provider. */
	| { readonly type: "model"; readonly pick: number }
	/** The clock jumps, backwards too; ms. */
	| { readonly type: "clock"; readonly leap: number }
	/** The provider's cache is known to be cold for the next request. */
	| { readonly type: "cold" }
	| { readonly type: "fork"; readonly pick: number }
	| { readonly type: "move"; readonly pick: number; readonly hasSummary: boolean }
	| { readonly type: "compact"; readonly pick: number; readonly size: number }
	| { readonly type: "crash"; readonly lines: number };

export interface Script {
	/** The model that the session begins with. */
	readonly model: number;
	readonly budget: number;
	readonly policy: number;
	/** The limits for outputs that the session begins with. */
	readonly outputs?: number;
	/** The budgets by component that the session begins with. */
	readonly components?: number;
	/** The setting `fading` that the session begins with. */
	readonly fading?: number;
	/** True if the model binds its thinking to the prefix; rule 19 is checked then. */
	readonly bindsThinking?: boolean;
	readonly operations: readonly Operation[];
}
