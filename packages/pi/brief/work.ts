/** The work of a session in its own words: what is done, in progress, left to do, decided, open and learned. */
import type { Episode, Graph } from "#core/graph";
import { cutText, isEdit } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { keyOf, onOneLine } from "./document.ts";
import { type MarkedLine, markedLines } from "./goal-and-constraints.ts";
import { isReadable } from "./sentences.ts";
import { finishedEpisodes } from "./session-findings.ts";
import { createEpisodeTexts, hasCall, NOTHING, QUESTION, type TextOf } from "./statements.ts";

/** Characters of one text; the whole description is in the section of its episode. */
const MAX_TEXT = 600;
/** The newest are kept of each list, and of the facts. */
export const MAX_LINES = 40;
const MAX_LEARNINGS = 100;
/** Lines of a kind that are weighed against each other, the newest. */
const MAX_STATED = 200;
/** Characters; a description is sent with every request once its episode is evicted. */
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** Characters of the last answer: a report of two pages. */
const MAX_ANSWER = 6_000;

/** By list: what descriptions and unmarked answers say with marked lines. */
export type Lists = Readonly<Record<"todo" | "decisions" | "openIssues", readonly string[]>>;

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

const nothingCarried: Carried = { lines: [], learnings: [] };

export type Work = ReturnType<typeof readWork>;

/** A marked line, and the turn of unmarked work; undefined for marked work, -1 for an earlier session. */
type Line = MarkedLine & { readonly turn: number | undefined };

/**
 * Reads the work of a session once.
 * @param textOf the text of an item, evicted or not; without it unmarked work has its findings
 */
export function readWork(
	graph: Pick<Graph, "episodes" | "messages">,
	textOf?: TextOf,
	carried: Carried = nothingCarried,
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
	const agreed = asks ? -1 : agreedTurn(graph.episodes, texts, finished, lines);
	const lists = listsOf(lines, saidBy(graph.episodes, texts.statementsOf), agreed);
	const tasks = tasksOf(graph, texts, finished, lines, { asks, hasSteps: lists.todo.length > 0 });
	const titles = (isDone: boolean) => tasks.flatMap((task) => (task.isDone === isDone ? [task.title] : []));
	const saidOf = (wanted: MarkedLine["kind"]) =>
		lines.flatMap((line) => (isSaid(line, wanted) ? [line.text] : []));
	const learned = learningsOf(graph.episodes, texts.statementsOf);
	const marked = new Set(graph.episodes.filter(isMarked).map(({ name }) => brief(name)));
	const inProgress = once([...titles(false), ...doingIn(lines, tasks)]);
	return {
		...texts,
		/** The lines that are marked, in their order. */
		lines,
		lists,
		/** The episodes that are over. */
		finished,
		completed: once([...titles(true), ...saidOf("done")]).filter((text) => !inProgress.includes(text)),
		inProgress,
		/** The lines that answers call done, without the messages of the user that were answered. */
		reported: once(saidOf("done")),
		criteria: once(saidOf("criterion")),
		/** Constraints of unmarked work; the state holds those of marked work. */
		constraints: once(
			lines.flatMap(({ kind, text, turn }) => (kind === "constraint" && turn !== undefined ? [text] : [])),
		),
		learnings: [...carried.learnings, ...learned].slice(-MAX_LEARNINGS),
		/** Those of unmarked work in this session: the line of an episode has less of them. */
		unmarkedLearnings: learned.filter(({ episode }) => !marked.has(episode)).map(({ text }) => text),
		lastAnswer: cutText(lastAnswerOf(graph, textOf), MAX_ANSWER),
	};
}

/** The newest answer that closes a turn with work, word for word: the agent's own report. Of talk alone, the newest that says much; "" without one. */
function lastAnswerOf({ messages }: Pick<Graph, "messages">, textOf: TextOf = () => undefined): string {
	const answers: { readonly text: string; readonly isOfWork: boolean }[] = [];
	let isOfWork = false;
	for (const { author, items } of messages) {
		if (author === "user") isOfWork = false;
		if (hasCall(items)) isOfWork = true;
		const said = items.filter((item) => item.type === "text" && !item.isBlank);
		const text = hasCall(items)
			? ""
			: said
					.map((item) => textOf(item) ?? "")
					.join("\n\n")
					.trim();
		if (text !== "") answers.push({ text, isOfWork });
	}
	const answer =
		answers.findLast((each) => each.isOfWork) ?? answers.findLast(({ text }) => text.length >= MIN_TALK);
	return (answer ?? answers.at(-1))?.text ?? "";
}

const isMarked = ({ origin }: Episode) => origin === "declared";

/** Returns true for an answer that waits for the user. */
const ASKING =
	/[?？][\W_]*$|\b(?:please (?:confirm|decide)|if you (?:agree|confirm)|once you confirm)\b[^\n]*$/i;

interface Task {
	readonly title: string;
	/** Undefined for marked work. */
	readonly turn: number | undefined;
	readonly isDone: boolean;
}

/**
 * Marked episodes, and the turns of the user with unmarked work, but for questions that changed nothing. A turn is done when the
 * agent has answered in English and names nothing that is left; until then, and while its plan waits for the user, the newest is
 * in progress.
 */
function tasksOf(
	{ episodes }: Pick<Graph, "episodes">,
	texts: ReturnType<typeof createEpisodeTexts>,
	finished: ReadonlySet<Episode>,
	lines: readonly Line[],
	{ asks, hasSteps }: { readonly asks: boolean; readonly hasSteps: boolean },
): readonly Task[] {
	const left = new Set(
		lines.filter((line) => isSaid(line, "todo") || isSaid(line, "doing")).map(({ turn }) => turn),
	);
	const unmarked = episodes.filter((episode) => !isMarked(episode) && hasCall(episode.items));
	const newest = unmarked.at(-1)?.turn;
	const turns = [...new Set(unmarked.map(({ turn }) => turn))].flatMap((turn): readonly Task[] => {
		const all = unmarked.filter((episode) => episode.turn === turn);
		const { title, isOwn } = all[0] ? texts.title(all[0]) : { title: "", isOwn: true };
		const isChange = all.some(changesFiles);
		const isOver = all.every((episode) => finished.has(episode));
		const isTask = isChange || !QUESTION.test(title);
		const isRead = isReadable(all.map(texts.statementsOf).join("\n"));
		const isOpen = !isOver || !isRead || left.has(turn) || (asks && !isChange) || (!isOwn && hasSteps);
		if (!isTask || (isOpen && turn !== newest)) return [];
		return [{ title, turn, isDone: !isOpen }];
	});
	const marked = episodes.filter(isMarked).map((episode) => {
		return { title: episode.name, turn: undefined, isDone: finished.has(episode) };
	});
	return [...marked, ...turns];
}

/** Says that all is done. */
const ALL_DONE =
	/^(?:Done: )?(?:(?:all )?done\b(?!:)|(?:all|everything|both)\b.*\b(?:done|complete|completed|finished|in place|pass)\b|(?:the )?(?:\w+ ){0,2}(?:is|are)? ?(?:now )?(?:complete|completed|finished)\b)/im;

/**
 * The newest turn that changed what the user had agreed to, says that all is done and names nothing that is left: the steps of
 * turns before it are over. -1 without one.
 */
function agreedTurn(
	episodes: readonly Episode[],
	{ title, statementsOf }: ReturnType<typeof createEpisodeTexts>,
	finished: ReadonlySet<Episode>,
	lines: readonly Line[],
): number {
	const left = new Set(
		lines.flatMap(({ kind, turn }) => (kind === "todo" || kind === "doing" ? [turn] : [])),
	);
	const isDone = (turn: number) => {
		const all = episodes.filter((each) => each.turn === turn && !isMarked(each));
		return (
			!left.has(turn) &&
			all.every((each) => finished.has(each)) &&
			all.some(changesFiles) &&
			ALL_DONE.test(all.map(statementsOf).join("\n"))
		);
	};
	return episodes.findLast((each) => !isMarked(each) && !title(each).isOwn && isDone(each.turn))?.turn ?? -1;
}

function changesFiles({ items }: Episode): boolean {
	return items.some((item) => isEdit(defaultToolTable, item));
}

function isSaid({ kind, text }: Line, wanted: MarkedLine["kind"]): boolean {
	return kind === wanted && !NOTHING.test(text);
}

/** The lines about work in progress, until a later turn changes something or says how far the work is. */
function doingIn(lines: readonly Line[], tasks: readonly Task[]): readonly string[] {
	const reports = lines.filter(({ kind }) => kind === "done" || kind === "doing" || kind === "todo");
	const newest = Math.max(-1, ...[...reports, ...tasks].map(({ turn = -1 }) => turn));
	return lines.flatMap((line) => (isSaid(line, "doing") && line.turn === newest ? [line.text] : []));
}

/**
 * Each line once, the newest last. A later `Done:` with the same words takes a line back. Of unmarked work a line is over once a
 * later turn says most of its words or what is left instead, a question once work went on, and a failed test once tests pass.
 */
function listsOf(lines: readonly Line[], said: ReturnType<typeof saidBy>, agreed: number): Lists {
	const worked = Math.max(-1, ...said.flatMap(({ turn, isWork }) => (isWork ? [turn] : [])));
	const isOver = ({ kind, text, turn }: Line) => {
		if (turn === undefined) return false;
		if (kind === "todo" && turn < agreed) return true;
		if (/[?？]\W*$/.test(text) && (kind === "todo" || turn < worked)) return true;
		if (kind === "open" && SETTLED.test(text)) return true;
		const isFailure = kind === "open" && /\btests?\b.*\bfail|\bfail(?:s|ed|ing)? .*\btests?\b/i.test(text);
		const words = stemsOf(text);
		return said.some(
			(later) =>
				later.turn > turn && ((isFailure && PASSING.test(later.text)) || holdsMost(later.words, words)),
		);
	};
	const collect = (wanted: "todo" | "decision" | "open") => {
		const texts = new Map<string, string>();
		const stated = lines.filter(({ kind }) => kind === wanted).slice(-MAX_STATED);
		const restated = restatedTurns(stated);
		const isLeft = (line: Line) => !restated.has(line.turn ?? Number.NaN) && !isOver(line);
		const left = new Set(wanted === "decision" ? stated : stated.filter(isLeft));
		for (const line of lines) {
			const isDone = line.kind === "done" && wanted !== "decision";
			if (!isDone && !left.has(line)) continue;
			const text = line.text.slice(0, MAX_DESCRIPTION_LENGTH);
			texts.delete(keyOf(line.text));
			if (!isDone && !NOTHING.test(text)) texts.set(keyOf(line.text), text);
		}
		return [...texts.values()].slice(-MAX_LINES);
	};
	return { todo: collect("todo"), decisions: collect("decision"), openIssues: collect("open") };
}

/** The turns whose lines a later turn says again, at least one of them: it then names all that is left, be it nothing. */
function restatedTurns(stated: readonly Line[]): ReadonlySet<number> {
	const known = stated.flatMap(({ turn, text }) =>
		turn === undefined ? [] : [{ turn, key: keyOf(text), words: stemsOf(text), isNone: NOTHING.test(text) }],
	);
	const restated = known.filter((own) =>
		known.some(
			({ turn, key, words, isNone }) =>
				turn > own.turn && (isNone || key === own.key || holdsMost(words, own.words)),
		),
	);
	return new Set(restated.map(({ turn }) => turn));
}

/** Says of something under a heading such as "Risks" that it is none. */
const SETTLED =
	/(?<!\b(?:not|never|isn[’']t|un) ?)(?:handled|fixed|resolved|mitigated|solved|safe|fine)[.!)*]*$/i;
const PASSING =
	/\b(?:tests?|checks?|suites?|everything)\b.*\bpass(?:es|ed)?\b|\bpass(?:es)? (?:again|now)\b/i;

/** The statements of unmarked work that name nothing that is left; `isWork` if their episode made calls. */
function saidBy(episodes: readonly Episode[], statementsOf: (episode: Episode) => string) {
	const unmarked = episodes.filter((episode) => !isMarked(episode));
	return unmarked.flatMap((episode) => {
		const isWork = hasCall(episode.items);
		const lines = statementsOf(episode).split("\n");
		const said = lines.filter((line) => !/^(?:Next|Open|Doing): /.test(line));
		return said.map((text) => ({ turn: episode.turn, text, words: stemsOf(text), isWork }));
	});
}

/** The words and numbers of a text by their first letters, so that `moves` is `moved`. */
function stemsOf(text: string): ReadonlySet<string> {
	const words = text.toLowerCase().match(/\p{L}{4,}|\d{2,}/gu) ?? [];
	return new Set(words.map((word) => word.slice(0, 4)));
}

/** Returns true if at least two thirds of the wanted words are there. */
function holdsMost(there: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
	return wanted.size >= 2 && 3 * [...wanted].filter((word) => there.has(word)).length >= 2 * wanted.size;
}

/** In characters: a shorter answer without any work in its turn is talk. */
const MIN_TALK = 60;
/** A long paragraph in pieces of whole words. */
const PIECES = new RegExp(`\\S.{0,${MAX_TEXT - 1}}(?=\\s|$)`, "gu");
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
