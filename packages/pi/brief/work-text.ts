/** The work of a session in words, as its brief has it and as a fresh session starts with it. */
import { quoteStart } from "#basics";
import { onOneLine } from "./document.ts";
import type { Work } from "./work.ts";

/** Characters of a user's message where it names an answer. */
const MAX_ASKED = 200;
/** Changed files that are named; a fresh session has the states of all known files anyway. */
const MAX_CHANGED = 40;

/** The branch and commit of a repository; "" for a detached branch, and before the first commit. */
export interface GitPlace {
	readonly branch: string;
	readonly commit: string;
}

/**
 * Leaves out what reaches a fresh session otherwise: goal, task and constraints by the state, finished episodes by their
 * lines, the user's messages as they are. "" if nothing is left to say.
 */
export function workText({ done, inProgress, lists, changedFiles, answers }: Work, git?: GitPlace): string {
	const parts = [
		["Done:", done],
		["In progress when it ended, so not finished:", inProgress],
		["Left to do when last said; later turns may have done or dropped some:", lists.todo],
		["Decided, where later turns did not change it:", lists.decisions],
		["Open issues:", lists.openIssues],
		["Files that it changed:", changedFiles.slice(-MAX_CHANGED)],
		["Git at its end:", git ? [describeGit(git)] : []],
	] as const;
	return [
		...parts.flatMap(([head, lines]) =>
			lines.length > 0 ? [head, ...lines.map((line) => `- ${onOneLine(line)}`)] : [],
		),
		// Quoted, so that no heading of an answer is one of the brief.
		...answers.flatMap(({ asked, answer }) => [
			`Answer to ${quoteStart(onOneLine(asked), MAX_ASKED)}, word for word:`,
			answer.replace(/^/gm, "> "),
		]),
	].join("\n");
}

function describeGit({ branch, commit }: GitPlace): string {
	const place = branch === "" ? "no branch" : `branch ${onOneLine(branch)}`;
	return commit === "" ? `${place}, no commit yet` : `${place}, commit ${commit.slice(0, 12)}`;
}
