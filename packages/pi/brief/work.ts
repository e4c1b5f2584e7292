/** The work of a session in its own words: what is done, in progress, left to do, decided, open and learned. */
import type { Episode, Graph } from "#core/graph";
import { cutText, isEdit } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { onOneLine } from "./document.ts";
import { type MarkedLine, markedLines } from "./goal-and-constraints.ts";
import { finishedEpisodes } from "./session-findings.ts";
import { createEpisodeTexts, hasCall, type TextOf } from "./statements.ts";
import { agreedTurn, doingIn, tasksOf } from "./tasks.ts";
import { isMarked, isSaid, type Line, listsOf, MAX_LINES, saidBy } from "./work-lists.ts";

/** Characters of one text; the whole description is in the section of its episode. */
const MAX_TEXT = 600;
/** The newest facts are kept. */
const MAX_LEARNINGS = 100;
/** Characters of the last answer: a report of two pages. */
const MAX_ANSWER = 6_000;

/** A fact, and the episode that found it out. */
export interface Learning {
	readonly episode: string;
	readonly text: string;
}

/** The work that an earlier session left, and that a fresh one goes on from. */
export interface Carried {
	readonly lines: readonly MarkedLine[];
	readonly learnings: readonly Learning[];
}

export type Work = ReturnType<typeof readWork>;

/**
 * Reads the work of a session once.
 * @param textOf the text of an item, evicted or not; without it unmarked work has its findings
 */
export function readWork(
	graph: Pick<Graph, "episodes" | "messages">,
	textOf?: TextOf,
	carried: Carried = { lines: [], learnings: [] },
) {
	const texts = createEpisodeTexts(graph, textOf);
	const lines: readonly Line[] = [
		...carried.lines.map((line) => ({ ...line, turn: -1 })),
		...graph.episodes.flatMap((episode) =>
			markedLines(texts.statementsOf(episode)).map((line) => ({
				...line,
				turn: isMarked(episode) ? undefined : episode.turn,
			})),
		),
	];
	const finished = new Set(finishedEpisodes(graph));
	const end = graph.messages.at(-1)?.items.at(-1);
	const asks = end?.type === "text" && ASKING.test((textOf?.(end) ?? "").trimEnd());
	const session = { episodes: graph.episodes, texts, finished, lines, asks };
	const lists = listsOf(lines, saidBy(graph.episodes, texts.statementsOf), agreedTurn(session));
	const tasks = tasksOf(session, lists.todo.length > 0);
	const titles = (wanted: (typeof tasks)[number]["state"]) =>
		tasks.flatMap(({ state, title }) => (state === wanted ? [title] : []));
	const saidOf = (wanted: MarkedLine["kind"]) =>
		lines.flatMap((line) => (isSaid(line, wanted) ? [line.text] : []));
	const learned = learningsOf(graph.episodes, texts.statementsOf);
	const marked = new Set(graph.episodes.filter(isMarked).map(({ name }) => brief(name)));
	const inProgress = once([...titles("in progress"), ...doingIn(lines, tasks)]);
	const reported = once(saidOf("done"));
	const completed = once([...titles("done"), ...reported]).filter((text) => !inProgress.includes(text));
	return {
		...texts,
		/** The lines that are marked, in their order. */
		lines,
		lists,
		/** The episodes that are over. */
		finished,
		...{ completed, inProgress },
		/** Asks of the user that no answer reports done. */
		unconfirmed: once(titles("unconfirmed")).filter((text) => ![...completed, ...inProgress].includes(text)),
		/** The lines that answers call done, without the messages of the user that were answered. */
		reported,
		criteria: once(saidOf("criterion")),
		/** Constraints of unmarked work; the state holds those of marked work. */
		constraints: once(
			lines.flatMap(({ kind, text, turn }) => (kind === "constraint" && turn !== undefined ? [text] : [])),
		),
		learnings: [...carried.learnings, ...learned].slice(-MAX_LEARNINGS),
		/** Those of unmarked work in this session: the line of an episode has less of them. */
		unmarkedLearnings: learned.filter(({ episode }) => !marked.has(episode)).map(({ text }) => text),
		...lastAnswers(graph, textOf),
	};
}

/**
 * The last answer word for word, and the agent's last report with all that it said between the two: the newest answer that closes
 * a turn with an edit, else one with any work, else one that says much. "" without one.
 */
function lastAnswers({ messages }: Pick<Graph, "messages">, textOf: TextOf = () => undefined) {
	/** `rank`: 3 in a turn with an edit, 2 with another call, 1 for an answer that says much. */
	const answers: { readonly text: string; readonly rank: number }[] = [];
	let work = 0;
	for (const { author, items } of messages) {
		if (author === "user") work = 0;
		if (hasCall(items)) work = items.some((item) => isEdit(defaultToolTable, item)) ? 3 : Math.max(2, work);
		const said = items.filter((item) => item.type === "text" && !item.isBlank && !hasCall(items));
		const text = said.map((item) => textOf(item) ?? "").join("\n\n");
		const rank = Math.max(work, Number(text.length >= MIN_TALK));
		if (text.trim() !== "") answers.push({ text: text.trim(), rank });
	}
	const best = Math.max(1, ...answers.map(({ rank }) => rank));
	const report = answers.findLastIndex(({ rank }) => rank === best);
	const since = report < 0 ? [] : answers.slice(report, -1).map(({ text }) => text);
	const last = answers.at(-1)?.text ?? "";
	return { lastAnswer: cutText(last, MAX_ANSWER), lastReport: cutText(since.join("\n\n"), MAX_ANSWER) };
}

/** Returns true for an answer that waits for the user. */
const ASKING =
	/[?？][\W_]*$|\b(?:please (?:confirm|decide)|if you (?:agree|confirm)|once you confirm)\b[^\n]*$/i;

/** In characters: a shorter answer without any work in its turn is talk. */
const MIN_TALK = 60;
/** A long paragraph in pieces of whole words, and a longer run without spaces in pieces of its own. */
const PIECES = new RegExp(`\\S.{0,${MAX_TEXT - 1}}(?=\\s|$)|\\S{${MAX_TEXT}}`, "gu");
/** Says nothing about the work. */
const EMPTY = /[?？]\W*$|^(?:done|perfect|great|want me|ready (?:for|to|when)|let me know|please confirm)\b/i;

/** Facts of all episodes. */
function learningsOf(
	episodes: readonly Episode[],
	statementsOf: (episode: Episode) => string,
): readonly Learning[] {
	const turns = new Set(
		episodes.filter((episode) => isMarked(episode) || hasCall(episode.items)).map(({ turn }) => turn),
	);
	return episodes.flatMap((episode) => {
		const least = isMarked(episode) || turns.has(episode.turn) ? 1 : MIN_TALK;
		const facts = statementsOf(episode)
			.split("\n")
			.filter((line) => line.length >= least && markedLines(line).length === 0);
		const lines = facts
			.filter((line) => isMarked(episode) || !EMPTY.test(line))
			.flatMap((line) => line.match(PIECES) ?? []);
		const learned = isMarked(episode) ? [brief(lines.join(" "))] : lines;
		return learned.flatMap((text) => (text === "" ? [] : [{ episode: brief(episode.name), text }]));
	});
}

/** Each text once and short, the newest of them. */
export function once(texts: readonly string[]): readonly string[] {
	return [...new Set(texts.map(brief))].slice(-MAX_LINES);
}

export function brief(text: string): string {
	return onOneLine(text).slice(0, MAX_TEXT);
}
