/** A commit as the worker makes it again: what it wants each file to be, and where the file has to change for that. */
import type { LineChange } from "../text-change.ts";

export interface Commit {
	/** Its place in the chain, from 1. */
	readonly number: number;
	readonly subject: string;
	readonly files: readonly CommitFile[];
}

export type CommitFile =
	| { readonly type: "added"; readonly path: string; readonly text: string }
	| { readonly type: "removed"; readonly path: string }
	| {
			readonly type: "changed";
			readonly path: string;
			/** The file afterwards. */
			readonly text: string;
			readonly hunks: readonly Hunk[];
	  };

/** A change, and the lines that stand there before it: the worker changes nothing that it does not see. */
export interface Hunk extends LineChange {
	readonly before: readonly string[];
}

/** The request of a commit; the worker finds its number there. */
export const askForCommit = ({ number, subject }: Commit, of: number): string =>
	`Commit ${number} of ${of}: ${subject}`;

/** The lines that ask for commits, in their order: one in a user turn, several in a summary. */
export function findRequests(text: string): readonly { readonly line: string; readonly number: number }[] {
	return [...text.matchAll(/^Commit (\d+) of \d+: .*$/gm)].map(([line, number]) => ({
		line,
		number: Number(number),
	}));
}

/** Returns true if these lines stand where the hunks expect them. */
export function fits(text: string, hunks: readonly Hunk[]): boolean {
	const lines = text.split("\n");
	return hunks.every(({ start, before }) => before.every((line, index) => lines[start + index] === line));
}
