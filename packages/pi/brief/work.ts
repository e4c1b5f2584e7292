/**
 * The work of a session as its marks have it: what is done, in progress, left to do, decided, open and learned; and for turns
 * without marks the agent's last answer, word for word. No words of the agent are interpreted but the labels that it was asked for.
 */
import { cutText } from "#basics";
import type { Episode, Graph } from "#core/graph";
import { type Item, isEdit, type LabelledLine, splitLabelled } from "#core/transcript";
import { fileOfCall } from "../files/manifest.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { keyOf, onOneLine } from "./document.ts";
import { NONE } from "./goal-and-constraints.ts";
import { answeredTurns, finishedEpisodes, hasCall } from "./turns.ts";

/** The newest are kept of each list. */
export const MAX_LINES = 40;
/** Characters of one line; the whole description is in the section of its episode. */
const MAX_TEXT = 600;
/** Characters of the newest answer, of each earlier one, and of all. */
const MAX_ANSWER = { newest: 6_000, earlier: 1_500, all: 12_000 };

/** Gives the text of an item, evicted or not. */
export type TextOf = (item: Item) => string | undefined;

/** The labelled lines by list, without what a later `Done:` took back. */
export type Lists = Readonly<Record<"todo" | "decisions" | "openIssues", readonly string[]>>;

/** A message of the user, and the last answer to it. */
export interface Answer {
	readonly asked: string;
	readonly answer: string;
}

export type Work = ReturnType<typeof readWork>;

const isMarked = ({ origin }: Episode) => origin === "declared";

/**
 * Reads the work of a session.
 * @param cwd the folder that its calls name files from
 * @param carried the labelled lines of the session that this one continues
 */
export function readWork(
	graph: Pick<Graph, "episodes" | "messages">,
	cwd: string,
	textOf: TextOf = () => undefined,
	carried: readonly LabelledLine[] = [],
) {
	const lines = [...carried, ...graph.episodes.flatMap((episode) => labelledIn(episode, textOf))];
	const finished = new Set(finishedEpisodes(graph));
	const marked = graph.episodes.filter(isMarked);
	const turns = readTurns(graph, textOf);
	const newest = turns.at(-1);
	const unanswered = newest?.answer === "" ? [newest.asked] : [];
	const done = linesOf(lines, "done");
	return {
		lines,
		/** The episodes that are over. */
		finished,
		lists: {
			todo: linesOf(lines, "todo"),
			decisions: linesOf(lines, "decision"),
			openIssues: linesOf(lines, "open"),
		} satisfies Lists,
		/** The lines labelled `Done:`. */
		done,
		completed: once([...marked.filter((episode) => finished.has(episode)).map(({ name }) => name), ...done]),
		inProgress: once([
			...marked.filter((episode) => !finished.has(episode)).map(({ name }) => name),
			...unanswered,
		]),
		learnings: marked.flatMap(({ name, description = "" }) => {
			const text = shortLine(splitLabelled(description).rest.join(" "));
			return text === "" ? [] : [{ episode: shortLine(name), text }];
		}),
		/** The answers of turns without a closed mark, and of the newest turn. */
		answers: boundAnswers(turns.filter((turn) => !turn.isMarked || turn === newest)),
		/** The files that edits and writes of the session name, the latest last. */
		changedFiles: changedIn(graph, cwd),
		userMessages: turns.flatMap(({ asked }) => asked || []),
	};
}

/** The labelled lines of an episode: of its description, and of all that was said where nothing is marked. */
function labelledIn({ origin, description = "", items }: Episode, textOf: TextOf): readonly LabelledLine[] {
	const said = items.flatMap((item) => (item.type === "text" ? [textOf(item) ?? ""] : []));
	const texts = origin === "declared" ? [description] : [...said, description];
	return splitLabelled(texts.join("\n")).labelled;
}

/** Lines of a kind once each, the newest last; a later `Done:` with the same words takes back what was to do or open. */
function linesOf(lines: readonly LabelledLine[], wanted: LabelledLine["kind"]): readonly string[] {
	const isTakenBack = wanted === "todo" || wanted === "open";
	const texts = new Map<string, string>();
	for (const { kind, text } of lines) {
		const key = keyOf(text);
		if (kind === wanted || (kind === "done" && isTakenBack)) texts.delete(key);
		if (kind === wanted && key !== NONE) texts.set(key, shortLine(text));
	}
	return [...texts.values()].slice(-MAX_LINES);
}

/** The turns of the user, each with the answer that ended it, "" without one. */
function readTurns({ messages, episodes }: Pick<Graph, "episodes" | "messages">, textOf: TextOf) {
	const closed = episodes.filter((episode) => isMarked(episode) && episode.state === "closed");
	const marked = new Set(closed.flatMap(({ items }) => items.map(({ message }) => message)));
	const answered = answeredTurns(messages);
	const turns: (Answer & { readonly isMarked: boolean })[] = [];
	for (const [at, { author, items }] of messages.entries()) {
		if (author === "user") {
			const [first] = items;
			turns.push({ asked: first ? (textOf(first) ?? "") : "", answer: "", isMarked: false });
		}
		const turn = turns.pop();
		if (!turn) continue;
		const said = items.filter((item) => item.type === "text" && !item.isBlank && !hasCall(items));
		const text = said.map((item) => textOf(item) ?? "").join("\n\n");
		const answer = answered[at] && text.trim() !== "" ? text.trim() : turn.answer;
		turns.push({ ...turn, answer, isMarked: turn.isMarked || marked.has(at) });
	}
	return turns;
}

/** The newest answers that fit, word for word from their beginnings. */
function boundAnswers(turns: readonly Answer[]): readonly Answer[] {
	const kept: Answer[] = [];
	let room = MAX_ANSWER.all;
	for (const { asked, answer } of turns.filter((turn) => turn.answer !== "").toReversed()) {
		const most = kept.length === 0 ? MAX_ANSWER.newest : MAX_ANSWER.earlier;
		const text = cutText(answer, Math.min(room, most));
		if (text === "") break;
		room -= text.length;
		kept.unshift({ asked, answer: text });
	}
	return kept;
}

function changedIn({ messages }: Pick<Graph, "messages">, cwd: string): readonly string[] {
	const files = new Set<string>();
	for (const item of messages.flatMap(({ items }) => items)) {
		if (item.type !== "call" || !isEdit(defaultToolTable, item)) continue;
		const file = fileOfCall(cwd, item.tool, item.arguments);
		if (file === undefined) continue;
		files.delete(file);
		files.add(file);
	}
	return [...files];
}

/** Each text once and short, the newest of them, none that is empty. */
export function once(texts: readonly string[]): readonly string[] {
	const lines = texts.map(shortLine).filter((line) => line !== "");
	return [...new Set(lines)].slice(-MAX_LINES);
}

function shortLine(text: string): string {
	return cutText(onOneLine(text), MAX_TEXT);
}
