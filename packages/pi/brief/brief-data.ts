/** The state in a brief as data, for programs: what a session is to reach, what is done and what was found out. */
import type { Episode, Graph } from "#core/graph";
import { keyOf, onOneLine, tidy } from "./document.ts";
import { type Goal, type MarkedLine, markedLines, type SessionState } from "./goal-and-constraints.ts";
import { finishedEpisodes } from "./session-findings.ts";
import { createEpisodeTexts, type EpisodeTexts, type TextOf } from "./statements.ts";

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
	const { statementsOf } = createEpisodeTexts(graph, textOf);
	const lines = graph.episodes.flatMap((episode) => markedLines(statementsOf(episode)));
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
 * Goal, criteria, work and facts, with the newest of each list.
 * @param asked the first request of the user, which stands for a goal that nobody set
 */
export function briefData(
	graph: Pick<Graph, "episodes" | "messages">,
	texts: EpisodeTexts,
	goal: Goal | undefined,
	asked: string,
	state: SessionState,
	lists: Lists,
) {
	const finished = new Set(finishedEpisodes(graph));
	const isMarked = ({ origin }: Episode) => origin === "declared";
	const worked = graph.episodes.filter(
		(episode) => isMarked(episode) || episode.items.some(({ type }) => type === "call"),
	);
	const titles = (isFinished: boolean) =>
		worked.filter((episode) => finished.has(episode) === isFinished).map((episode) => texts.title(episode));
	const said = graph.episodes.flatMap((episode) => markedLines(texts.statementsOf(episode)));
	const saidOf = (wanted: MarkedLine["kind"]) =>
		said.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
	/** Words without any work in their turn are talk. */
	const turns = new Set(worked.map(({ turn }) => turn));
	const learnings = graph.episodes.flatMap((episode) => {
		if (!isMarked(episode) && !turns.has(episode.turn)) return [];
		// The state holds constraints of marked work only.
		const isLearned = (line: string) =>
			markedLines(line).every(({ kind }) => kind === "constraint" && !isMarked(episode));
		const lines = texts.statementsOf(episode).split("\n").filter(isLearned).map(brief);
		const learned = isMarked(episode) ? [brief(lines.join(" "))] : lines;
		return learned.flatMap((text) => (text === "" ? [] : [{ episode: brief(episode.name), text }]));
	});
	const once = (texts: readonly string[]) => [...new Set(texts.map(brief))].slice(-MAX_LINES);
	return {
		version: 1,
		goal: goal ? tidy(goal.text) : brief(asked),
		isGoalDone: goal?.isDone ?? false,
		successCriteria: [...criteriaIn(goal?.text ?? asked), ...once(saidOf("criterion")), ...state.constraints],
		constraints: { user: state.constraints, noted: state.notedConstraints },
		...{
			task: state.task,
			completed: once([...titles(true), ...saidOf("done")]),
			inProgress: once(titles(false)),
		},
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
