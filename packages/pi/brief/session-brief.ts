/**
 * The brief of a session: its goal, task and constraints, what is decided, to do and open, and each episode with its
 * description, in one file that a person may edit and a fresh session starts from. No model in it.
 */
import { countOf, fieldsOf, listOf } from "#basics";
import { planDescriptions, withDescriptions } from "#core/planning";
import type { LabelledLine } from "#core/transcript";
import { type BranchEntry, customData } from "../custom-entries.ts";
import { readManifest } from "../files/manifest.ts";
import { ORIGIN_ENTRY } from "../session/soft-resume.ts";
import { messageIds } from "./brief-file.ts";
import {
	type BriefSources,
	formatBrief,
	gitIn,
	headingsOf,
	MAX_FILES,
	readBriefEdits,
} from "./brief-text.ts";
import { goalOf, stateOf } from "./goal-and-constraints.ts";
import { readWork } from "./work.ts";

/** The lists of the entry that a fresh session keeps, and the kind of their lines. */
const carriedKinds = {
	done: "done",
	todo: "todo",
	decisions: "decision",
	openIssues: "open",
} as const satisfies Readonly<Record<string, LabelledLine["kind"]>>;

/** Reads the labelled lines that the earlier session of a branch left. Never throws: data of another type is left out. */
export function readCarried(branch: readonly BranchEntry[]): readonly LabelledLine[] {
	const left = fieldsOf(customData(branch, ORIGIN_ENTRY)[0]?.left);
	return Object.entries(carriedKinds).flatMap(([name, kind]) =>
		listOf(left[name])
			.filter((text) => typeof text === "string")
			.map((text) => ({ kind, text })),
	);
}

export type BriefUpdate = ReturnType<typeof updateBrief>;

/**
 * Takes a person's edits from the file and writes it again.
 * @throws CwlError for a file that cannot be read and for texts that are too long; nothing is to change then
 */
export function updateBrief(sources: BriefSources) {
	const { input, text, cwd, branch } = sources;
	const { episodes } = input.graph;
	const titles = headingsOf(episodes);
	const edits = readBriefEdits(text ?? "", titles);
	const { steering, descriptions } = edits;
	const graph = withDescriptions(input.graph, descriptions);
	const manifest = readManifest(branch);
	const after = {
		...sources,
		manifest,
		last: messageIds(branch).at(-1) ?? "",
		git: sources.git ?? gitIn(edits.record),
		goal: steering.goal === undefined ? sources.goal : goalOf(steering.goal, ""),
		state: stateOf({ ...sources.state, ...steering }),
	};
	const work = readWork(graph, cwd, input.textOf, readCarried(branch));
	const finished = [...work.finished].filter(
		({ origin, description }) => origin === "declared" || description !== undefined,
	);
	const files = countOf(Math.min(manifest.size, MAX_FILES), "file");
	return {
		/** The new text of the file, and its state as data. */
		...formatBrief(after, graph, work, edits),
		/** Goal, task and constraints that a person changed. */
		steering,
		descriptions,
		/** Puts the new descriptions into lines that are already in the context. */
		pass: planDescriptions(input, descriptions),
		/** One line on what is in the file. */
		summary: `${countOf(finished.length, "finished episode")}, ${work.lists.todo.length} to do, ${files}`,
	};
}

/** The outcome in one line. */
export function describeBriefUpdate(
	{ steering, descriptions, pass, summary }: BriefUpdate,
	path: string,
): string {
	const set = (["goal", "task", "constraints"] as const).filter((key) => steering[key] !== undefined);
	const described = descriptions.size > 0 ? [countOf(descriptions.size, "description")] : [];
	const taken = [...set.map((key) => `the ${key}`), ...described];
	if (taken.length === 0)
		return `the brief is in ${path}: ${summary}. Edit it and run this again; \`cwl resume --soft\` starts from it.`;
	const how = pass
		? "; lines of evicted episodes change with the next request, which rewrites the cache once"
		: "";
	return `took ${taken.join(", ")} from ${path}, ${taken.length > 1 || descriptions.size > 1 ? "which hold" : "which holds"} from now on${how}.`;
}
