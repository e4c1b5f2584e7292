/**
 * The brief of a session: its goal, task and constraints, what is decided, to do and open, and each episode with its
 * description, in one file that a person may edit and a fresh session starts from. No model in it.
 */
import { fieldsOf, isRecord, listOf } from "#core";
import type { Episode } from "#core/graph";
import { planDescriptions, withDescriptions } from "#core/planning";
import { type BranchEntry, customData } from "../custom-entries.ts";
import { countOf } from "../screen/figures.ts";
import { ORIGIN_ENTRY } from "../session/soft-resume.ts";
import { type BriefSources, formatBrief, MAX_FILES, readBriefEdits } from "./brief-text.ts";
import { onOneLine } from "./document.ts";
import { goalOf, type MarkedLine, stateOf } from "./goal-and-constraints.ts";
import { type Carried, readWork, type Work } from "./work.ts";
import { type Lists, MAX_DESCRIPTION_LENGTH, MAX_LINES } from "./work-lists.ts";

/** Characters of an ask in a list: a fresh session has the message of the user whole anyway. */
const MAX_ASKED = 160;

/**
 * The words by which a fresh session starts, without those that reach it otherwise: goal, task and constraints by the state,
 * finished episodes by their lines. "" if nothing is left to say.
 */
export function startText(
	left: Lists &
		Pick<Work, "inProgress" | "unconfirmed" | "reported" | "unmarkedLearnings" | "lastReport" | "lastAnswer">,
): string {
	const { lastReport, lastAnswer } = left;
	const quoted = `${lastReport} ${lastAnswer}`.replace(/\s+/g, " ");
	const isNew = (text: string) => !quoted.includes(text);
	const parts = [
		["Done:", left.reported.filter(isNew)],
		["In progress when it ended, so not finished:", left.inProgress],
		[
			"Asked for, and no answer reports all of it done:",
			left.unconfirmed.map((text) => text.slice(0, MAX_ASKED)),
		],
		["Left to do when last said; later turns may have done or dropped some:", left.todo],
		["Decided, where later turns did not change it:", left.decisions],
		["Open issues:", left.openIssues],
		["Learned:", left.unmarkedLearnings.filter(isNew)],
	] as const;
	const shortLine = (line: string) => `- ${line.replace(/\s+/g, " ").slice(0, MAX_DESCRIPTION_LENGTH)}`;
	const lists = parts.flatMap(([head, lines]) =>
		lines.length > 0 ? [head, ...lines.slice(-MAX_LINES).map(shortLine)] : [],
	);
	const quote = (what: string, text: string) =>
		text === "" ? [] : [`Your last ${what}, word for word:`, text];
	return [...lists, ...quote("report", lastReport), ...quote("answer", lastAnswer)].join("\n");
}

/** The lists of the entry, and the kind of their lines. */
const carriedKinds = {
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
		lines: Object.entries(carriedKinds).flatMap(([name, kind]) =>
			listOf(left[name])
				.filter(isText)
				.map((text) => ({ kind, text })),
		),
		learnings: listOf(left.learnings)
			.filter(isRecord)
			.flatMap(({ episode, text }) => (isText(episode) && isText(text) ? [{ episode, text }] : [])),
	};
}

export type BriefUpdate = ReturnType<typeof updateBrief>;

/**
 * Takes a person's edits from the file and writes it again.
 * @throws CwlError for a file that cannot be read and for texts that are too long; nothing is to change then
 */
export function updateBrief(sources: BriefSources) {
	const { input, text, carried } = sources;
	const { episodes } = input.graph;
	const titles = headingsOf(episodes);
	const ids = new Map(titles.map((title, at) => [title, episodes[at]?.id ?? ""]));
	const edits = readBriefEdits(text ?? "", ids);
	const { steering, descriptions } = edits;
	const graph = withDescriptions(input.graph, descriptions);
	const after = {
		...sources,
		goal: steering.goal === undefined ? sources.goal : goalOf(steering.goal, ""),
		state: stateOf({ ...sources.state, ...steering }),
	};
	const work = readWork(graph, input.textOf, carried);
	const finished = [...work.finished].filter(
		({ origin, description }) => origin === "declared" || description !== undefined,
	);
	const files = countOf(Math.min(sources.manifest.size, MAX_FILES), "file");
	return {
		/** The new text of the file, and its state as data. */
		...formatBrief(after, graph, work, titles, edits),
		/** Goal, task and constraints that a person changed. */
		steering,
		descriptions,
		/** Puts the new descriptions into lines that are already in the context. */
		pass: planDescriptions(input, descriptions),
		/** One line on what is in the file. */
		summary: `${countOf(finished.length, "finished episode")}, ${work.lists.todo.length} to do, ${files}`,
	};
}

/** The name of each episode on one line; with its place where two would look alike. */
function headingsOf(episodes: readonly Episode[]): readonly string[] {
	const names = episodes.map(({ name }) => onOneLine(name).slice(0, 60));
	const isTwin = (name: string) => names.indexOf(name) < names.lastIndexOf(name);
	return names.map((name, index) => (isTwin(name) ? `${name} (${index + 1})` : name));
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
