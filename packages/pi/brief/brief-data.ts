/** The state in a brief as data, for programs: what a session is to reach, what is done and what was found out. */
import type { Episode, Graph } from "#core/graph";
import { effectOf } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { keyOf, onOneLine, tidy } from "./document.ts";
import { type Goal, type MarkedLine, markedLines, type SessionState } from "./goal-and-constraints.ts";
import { finishedEpisodes } from "./session-findings.ts";
import { createEpisodeTexts, NOTHING, type TextOf } from "./statements.ts";

/** Characters of one text; the whole description is in the section of its episode. */
const MAX_TEXT = 600;
/** The newest are kept of each list. */
export const MAX_LINES = 40;
/** Characters; a description is sent with every request once its episode is evicted. */
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** By list: what descriptions and unmarked answers say with marked lines. */
export type Lists = Readonly<Record<"todo" | "decisions" | "openIssues", readonly string[]>>;

export type Work = ReturnType<typeof readWork>;

/**
 * The work of a session in its own words, read once.
 * @param textOf the text of an item, evicted or not; without it unmarked work has its findings
 */
export function readWork(graph: Pick<Graph, "episodes" | "messages">, textOf?: TextOf) {
	const texts = createEpisodeTexts(graph, textOf);
	const lines = graph.episodes.flatMap((episode) =>
		markedLines(texts.statementsOf(episode)).map((line) => ({
			...line,
			/** The turn of unmarked work; undefined for marked work. */
			turn: episode.origin === "declared" ? undefined : episode.turn,
		})),
	);
	const turn = graph.episodes.at(-1)?.turn;
	const newest = graph.episodes.filter((episode) => episode.origin !== "declared" && episode.turn === turn);
	const end = graph.messages.at(-1)?.items.at(-1);
	const asks = end?.type === "text" && /[?？]\W*$/.test(textOf?.(end) ?? "");
	return {
		...texts,
		/** The lines that are marked, in their order. */
		lines,
		lists: listsOf(lines),
		/** Work that the newest turn says is in progress. */
		doing: lines.filter((line) => line.kind === "doing" && line.turn === turn).map(({ text }) => text),
		/** The newest unmarked work where it changed nothing and ends with a question: a plan that the user is to agree to. */
		awaiting: new Set(asks && !newest.some(changesFiles) ? newest : []),
		/** The episodes that are over. */
		finished: new Set(finishedEpisodes(graph)),
	};
}

function changesFiles({ items }: Episode): boolean {
	return items.some(
		(item) => item.type === "call" && effectOf(defaultToolTable, item.tool, item.arguments) === "writes",
	);
}

/**
 * Each line once, the newest last. A later `Done:` with the same words takes a line back. Of unmarked work the newest turn that
 * names next steps or issues says what is left, be it none.
 */
function listsOf(lines: readonly (MarkedLine & { readonly turn: number | undefined })[]): Lists {
	const collect = (wanted: "todo" | "decision" | "open") => {
		const texts = new Map<string, string>();
		const newest = lines.findLast(({ kind, turn }) => kind === wanted && turn !== undefined)?.turn ?? 0;
		for (const { kind, text, turn = newest } of lines) {
			if (kind === wanted && wanted !== "decision" && turn < newest) continue;
			const isDone = kind === "done" && wanted !== "decision";
			if (!isDone && kind !== wanted) continue;
			texts.delete(keyOf(text));
			if (!isDone && !NOTHING.test(text)) texts.set(keyOf(text), text.slice(0, MAX_DESCRIPTION_LENGTH));
		}
		return [...texts.values()].slice(-MAX_LINES);
	};
	return { todo: collect("todo"), decisions: collect("decision"), openIssues: collect("open") };
}

/**
 * Goal, criteria, work and facts, with the newest of each list.
 * @param asked what the user wrote; the first of it stands for a goal that nobody set
 */
export function briefData(
	{ episodes }: Pick<Graph, "episodes">,
	work: Work,
	goal: Goal | undefined,
	asked: readonly string[],
	state: SessionState,
	lists: Lists,
) {
	const isMarked = ({ origin }: Episode) => origin === "declared";
	const worked = episodes.filter(
		(episode) => isMarked(episode) || episode.items.some(({ type }) => type === "call"),
	);
	const titles = (isFinished: boolean) =>
		worked
			.filter((episode) => (work.finished.has(episode) && !work.awaiting.has(episode)) === isFinished)
			.map((episode) => work.title(episode));
	const [first = ""] = asked;
	const unmarkedConstraints = work.lines.flatMap(({ kind, text, turn }) =>
		kind === "constraint" && turn !== undefined ? [text] : [],
	);
	const saidOf = (wanted: MarkedLine["kind"]) =>
		work.lines.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
	/** Words without any work in their turn are talk. */
	const turns = new Set(worked.map(({ turn }) => turn));
	const learnings = episodes.flatMap((episode) => {
		if (!isMarked(episode) && !turns.has(episode.turn)) return [];
		const isLearned = (line: string) => markedLines(line).length === 0;
		const lines = work.statementsOf(episode).split("\n").filter(isLearned).map(brief);
		const learned = isMarked(episode) ? [brief(lines.join(" "))] : lines;
		return learned.flatMap((text) => (text === "" ? [] : [{ episode: brief(episode.name), text }]));
	});
	const once = (texts: readonly string[]) => [...new Set(texts.map(brief))].slice(-MAX_LINES);
	return {
		version: 1,
		goal: goal ? tidy(goal.text) : brief(first),
		isGoalDone: goal?.isDone ?? false,
		successCriteria: [...criteriaIn(goal?.text ?? first), ...once(saidOf("criterion")), ...state.constraints],
		constraints: {
			user: state.constraints,
			// The state already holds the constraints of marked work.
			noted: once([...state.notedConstraints, ...unmarkedConstraints]),
			asked: once(asked.flatMap(limitsIn)),
		},
		...{
			task: state.task,
			completed: once([...titles(true), ...saidOf("done")]),
			inProgress: once([...titles(false), ...work.doing]),
		},
		...{ nextSteps: lists.todo, decisions: lists.decisions, openIssues: lists.openIssues },
		learnings: learnings.slice(-MAX_LINES),
	};
}

/** The requests in a text of the user, an item for each line and each part between semicolons. */
function criteriaIn(text: string): readonly string[] {
	const parts = text.split(/[\n;]/).map((part) => brief(part.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "")));
	return [...new Set(parts)].filter((part) => /[^:]$/.test(part)).slice(0, MAX_LINES);
}

/** Words by which a person limits the work. */
const LIMITING =
	/(?:^|[,;–—]\s*|\b(?:and|but|please|just)\s+)(?:don[’']t|do not|never)\b|\bmust\b|\bmake sure\b|\bwithout (?:chang|add|break|touch|us)ing\b|\bno new\b|\bunchanged\b/i;

/** The sentences of a text of the user that limit the work. */
function limitsIn(text: string): readonly string[] {
	return text.split(/\n|(?<=[.!?])\s+/).filter((sentence) => LIMITING.test(sentence.trim()));
}

function brief(text: string): string {
	return onOneLine(text).slice(0, MAX_TEXT);
}
