/** The tasks of a session: marked episodes, and what the user asked for in turns with unmarked work. */
import type { Episode } from "#core/graph";
import { isEdit } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { isReadable } from "./sentences.ts";
import { type createEpisodeTexts, hasCall, isQuestion, isRequest } from "./statements.ts";
import { isMarked, isSaid, type Line } from "./work-lists.ts";

/** A session as far as its tasks depend on it. */
interface Session {
	readonly episodes: readonly Episode[];
	readonly texts: Pick<ReturnType<typeof createEpisodeTexts>, "title" | "statementsOf">;
	/** The episodes that are over. */
	readonly finished: ReadonlySet<Episode>;
	readonly lines: readonly Line[];
	/** True if the last answer waits for the user. */
	readonly asks: boolean;
}

interface Task {
	readonly title: string;
	/** Undefined for marked work. */
	readonly turn: number | undefined;
	/** `unconfirmed`: no answer reports that all of it is done. */
	readonly state: "done" | "in progress" | "unconfirmed";
}

/**
 * Marked episodes, and what the user asked for in turns with unmarked work, but for questions that changed nothing; of turns
 * without work only what reads as a request. To be answered is not to be done: a turn is done when its answer, in English, says
 * that all is done, and names nothing that is left or open. The newest is in progress while it is not answered, while it names
 * what is left, and while its plan waits for the user or agreed steps are left (`hasSteps`).
 */
export function tasksOf(session: Session, hasSteps: boolean): readonly Task[] {
	const { episodes, texts, finished, asks } = session;
	const [left, open] = [turnsSaying(session, "todo", "doing"), turnsSaying(session, "open")];
	const unmarked = episodes.filter((episode) => !isMarked(episode));
	const newest = unmarked.findLast(({ items }) => hasCall(items))?.turn;
	const turns = [...new Set(unmarked.map(({ turn }) => turn))].flatMap((turn): readonly Task[] => {
		const all = unmarked.filter((episode) => episode.turn === turn);
		const { title, isOwn } = all[0] ? texts.title(all[0]) : { title: "", isOwn: true };
		const isChange = all.some(changesFiles);
		const isTalk = !all.some(({ items }) => hasCall(items));
		if ((!isChange && isQuestion(title)) || (isTalk && !(isOwn && isRequest(title)))) return [];
		const answer = all.map(texts.statementsOf).join("\n");
		const isAnswered = all.every((episode) => finished.has(episode)) && isReadable(answer);
		const isOpen = !isAnswered || left.has(turn) || (asks && !isChange) || (!isOwn && hasSteps);
		if (isOpen) return [{ title, turn, state: turn === newest ? "in progress" : "unconfirmed" }];
		return [{ title, turn, state: ALL_DONE.test(answer) && !open.has(turn) ? "done" : "unconfirmed" }];
	});
	const marked = episodes.filter(isMarked).map((episode): Task => {
		return { title: episode.name, turn: undefined, state: finished.has(episode) ? "done" : "in progress" };
	});
	return [...marked, ...turns];
}

/** Says that all is done. */
const ALL_DONE =
	/^Next: none$|^(?:Done: )?(?:(?:all )?done\b(?!:)|(?:all|everything|both)\b(?!.*\b(?:tests?|checks?)\b).*\b(?:done|complete|completed|finished|fixed|implemented|in place)\b|(?:it|this|that|(?:the )?(?:work|task|job|change|feature|migration|port|refactoring|implementation))(?: (?:is|are))?(?: now)? (?:complete|completed|finished|done)\b)/im;

/**
 * The newest turn that changed what the user had agreed to, says that all is done and names nothing that is left: the steps of
 * turns before it are over. -1 without one.
 */
export function agreedTurn(session: Session): number {
	const { episodes, finished, asks } = session;
	const { title, statementsOf } = session.texts;
	if (asks) return -1;
	const left = turnsSaying(session, "todo", "doing");
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

/** The turns with lines of these kinds. */
function turnsSaying({ lines }: Session, ...kinds: readonly Line["kind"][]): ReadonlySet<number | undefined> {
	return new Set(lines.flatMap((line) => (kinds.some((kind) => isSaid(line, kind)) ? [line.turn] : [])));
}

function changesFiles({ items }: Episode): boolean {
	return items.some((item) => isEdit(defaultToolTable, item));
}

/** The lines about work in progress, until a later turn changes something or says how far the work is. */
export function doingIn(lines: readonly Line[], tasks: readonly Task[]): readonly string[] {
	const reports = lines.filter(({ kind }) => kind === "done" || kind === "doing" || kind === "todo");
	const newest = Math.max(-1, ...[...reports, ...tasks].map(({ turn = -1 }) => turn));
	return lines.flatMap((line) => (isSaid(line, "doing") && line.turn === newest ? [line.text] : []));
}
