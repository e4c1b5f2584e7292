/** Lines of a description that begin with a word such as `Decided:`, by which the model says what kind of fact they are. */

export type LineKind = "task" | "constraint" | "decision" | "todo" | "done" | "open";

export interface MarkedLine {
	readonly kind: LineKind;
	/** Without the word, on one line. */
	readonly text: string;
}

const KINDS: Readonly<Record<string, LineKind>> = {
	task: "task",
	constraint: "constraint",
	decided: "decision",
	decision: "decision",
	todo: "todo",
	done: "done",
	open: "open",
};

/** The marked lines of a description, in their order. Anything else in it is left out. */
export function markedLines(description: string): readonly MarkedLine[] {
	return description.split("\n").flatMap((line): readonly MarkedLine[] => {
		const [, word = "", text = ""] =
			/^\s*(?:[-*]\s+)?([A-Za-z][A-Za-z -]{2,9}?)\s*:\s*(\S.*)$/.exec(line) ?? [];
		const kind = KINDS[word.toLowerCase().replace(/[ -]/g, "")];
		return kind === undefined ? [] : [{ kind, text: text.trim().replace(/\s+/g, " ") }];
	});
}
