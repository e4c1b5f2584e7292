/** The state in a brief as data, for programs: what a session is to reach, what is done and what was found out. */
import type { Graph } from "#core/graph";
import { keyOf, onOneLine, tidy } from "./document.ts";
import { type Goal, markedLines, type SessionState } from "./goal-and-constraints.ts";
import { finishedEpisodes } from "./session-findings.ts";
import { createWords, type TextOf, type Words } from "./statements.ts";

/** Characters of one text; the whole description is in the section of its episode. */
const MAX_TEXT = 600;
/** The newest are kept of each list. */
export const MAX_LINES = 40;
/** Characters; a description is sent with every request once its episode is evicted. */
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** By list: what descriptions and unmarked answers say with marked lines. */
export type Lists = Readonly<Record<"todo" | "decisions" | "openIssues", readonly string[]>>;

/**
 * Each line once, the newest last; a later `Done:` with the same words takes a line back.
 * @param textOf the text of an item, evicted or not; without it unmarked work has its findings
 */
export function listsOf(graph: Pick<Graph, "episodes" | "messages">, textOf?: TextOf): Lists {
	const { told } = createWords(graph, textOf);
	const lines = graph.episodes.flatMap((episode) => markedLines(told(episode)));
	const collect = (wanted: "todo" | "decision" | "open") => {
		const texts = new Map<string, string>();
		for (const { kind, text } of lines) {
			const isDone = kind === "done" && wanted !== "decision";
			if (!isDone && kind !== wanted) continue;
			texts.delete(keyOf(text));
			if (!isDone) texts.set(keyOf(text), text.slice(0, MAX_DESCRIPTION_LENGTH));
		}
		return [...texts.values()].slice(-MAX_LINES);
	};
	return { todo: collect("todo"), decisions: collect("decision"), openIssues: collect("open") };
}

/**
 * The checkpoint of seed 002, with the newest of each list.
 * @param asked the first request of the user, which stands for a goal that nobody set
 */
export function briefData(
	graph: Pick<Graph, "episodes" | "messages">,
	words: Words,
	goal: Goal | undefined,
	asked: string,
	state: SessionState,
	lists: Lists,
) {
	const finished = new Set(finishedEpisodes(graph));
	const worked = graph.episodes.filter(
		({ origin, items }) => origin === "declared" || items.some(({ type }) => type === "call"),
	);
	const titles = (isFinished: boolean) => {
		const some = worked.filter((episode) => finished.has(episode) === isFinished);
		return [...new Set(some.map((episode) => brief(words.title(episode))))];
	};
	const learnings = graph.episodes.flatMap((episode) => {
		const lines = words.told(episode).split("\n");
		const text = brief(lines.filter((line) => markedLines(line).length === 0).join(" "));
		return text === "" ? [] : [{ episode: brief(episode.name), text }];
	});
	return {
		version: 1,
		goal: goal ? tidy(goal.text) : brief(asked),
		isGoalDone: goal?.isDone ?? false,
		successCriteria: [...criteriaIn(goal?.text ?? asked), ...state.constraints],
		constraints: { user: state.constraints, noted: state.notedConstraints },
		...{ task: state.task, completed: titles(true).slice(-MAX_LINES), inProgress: titles(false) },
		...{ nextSteps: lists.todo, decisions: lists.decisions, openIssues: lists.openIssues },
		learnings: learnings.slice(-MAX_LINES),
	};
}

/** The requests in a text of the user, an item for each line and each part between semicolons. */
function criteriaIn(text: string): readonly string[] {
	const parts = text.split(/[\n;]/).map((part) => brief(part.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "")));
	return [...new Set(parts)].filter((part) => part !== "").slice(0, MAX_LINES);
}

function brief(text: string): string {
	return onOneLine(text).slice(0, MAX_TEXT);
}
