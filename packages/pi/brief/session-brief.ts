/**
 * The brief of a session: its goal, task and constraints, what is decided, to do and open, and each episode with its
 * description, in one file that a person may edit and a fresh session starts from. No model in it.
 */
import type { Episode } from "#core/graph";
import { planDescriptions, withDescriptions } from "#core/planning";
import { countOf } from "../screen/figures.ts";
import { type BriefSources, formatBrief, MAX_FILES, readBriefEdits } from "./brief-text.ts";
import { onOneLine } from "./document.ts";
import { goalOf, stateOf } from "./goal-and-constraints.ts";
import { type Lists, MAX_DESCRIPTION_LENGTH, MAX_LINES, readWork, type Work } from "./work.ts";

/**
 * The words by which a fresh session starts, without those that reach it otherwise: goal, task and constraints by the state,
 * finished episodes by their lines. "" if nothing is left to say.
 */
export function startText(
	left: Lists & Pick<Work, "inProgress" | "unmarkedLearnings" | "lastAnswer">,
): string {
	const { lastAnswer } = left;
	const answer = lastAnswer.replace(/\s+/g, " ");
	const parts = [
		["In progress when it ended, so not finished:", left.inProgress],
		["To do, not begun:", left.todo],
		["Decided:", left.decisions],
		["Open issues:", left.openIssues],
		["Learned:", left.unmarkedLearnings.filter((text) => !answer.includes(text))],
	] as const;
	const shortLine = (line: string) => `- ${line.replace(/\s+/g, " ").slice(0, MAX_DESCRIPTION_LENGTH)}`;
	const lists = parts.flatMap(([head, lines]) =>
		lines.length > 0 ? [head, ...lines.slice(-MAX_LINES).map(shortLine)] : [],
	);
	return [...lists, ...(lastAnswer === "" ? [] : ["Your last answer, word for word:", lastAnswer])].join(
		"\n",
	);
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
