/** The work that a session leaves to a fresh one, as the entry of the fresh one about its origin holds it. */
import { fieldsOf, isRecord, listOf } from "#core";
import { type BranchEntry, customData } from "../custom-entries.ts";
import { ORIGIN_ENTRY } from "../session/soft-resume.ts";
import type { MarkedLine } from "./goal-and-constraints.ts";
import type { Carried, Lists, Work } from "./work.ts";

/** The lists of the entry, and the kind of their lines. */
const kinds = {
	completed: "done",
	inProgress: "doing",
	todo: "todo",
	decisions: "decision",
	openIssues: "open",
	criteria: "criterion",
	constraints: "constraint",
} as const satisfies Readonly<Record<string, MarkedLine["kind"]>>;

/** The lists that a session leaves, with those of a person where there are some. */
export function carriedBy(
	{ lists, completed, inProgress, criteria, constraints, learnings }: Work,
	own: Partial<Lists> = {},
) {
	return { ...lists, ...own, completed, inProgress, criteria, constraints, learnings };
}

/** Reads the work that the earlier session of a branch left. Never throws: data of another type is left out. */
export function readCarried(branch: readonly BranchEntry[]): Carried {
	const left = fieldsOf(customData(branch, ORIGIN_ENTRY)[0]?.left);
	const isText = (text: unknown) => typeof text === "string";
	return {
		lines: Object.entries(kinds).flatMap(([name, kind]) =>
			listOf(left[name])
				.filter(isText)
				.map((text) => ({ kind, text })),
		),
		learnings: listOf(left.learnings)
			.filter(isRecord)
			.flatMap(({ episode, text }) => (isText(episode) && isText(text) ? [{ episode, text }] : [])),
	};
}
