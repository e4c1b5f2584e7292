/** The tasks of a session: marked episodes, and the turns of the user with unmarked work, done or in progress. */
import type { Episode } from "#core/graph";
import { isEdit } from "#core/transcript";
import { defaultToolTable } from "../tool-profiles.ts";
import { isReadable } from "./sentences.ts";
import { type createEpisodeTexts, hasCall, QUESTION } from "./statements.ts";
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
	readonly isDone: boolean;
}

/**
 * Marked episodes, and the turns of the user with unmarked work, but for questions that changed nothing. A turn is done when the
 * agent has answered in English and names nothing that is left; until then, and while its plan waits for the user or agreed steps
 * are left (`hasSteps`), the newest is in progress.
 */
export function tasksOf(session: Session, hasSteps: boolean): readonly Task[] {
	const { episodes, texts, finished, asks } = session;
	const left = turnsLeft(session);
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
export function agreedTurn(session: Session): number {
	const { episodes, finished, asks } = session;
	const { title, statementsOf } = session.texts;
	if (asks) return -1;
	const left = turnsLeft(session);
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

/** The turns that name what is left to do. */
function turnsLeft({ lines }: Session): ReadonlySet<number | undefined> {
	return new Set(
		lines.filter((line) => isSaid(line, "todo") || isSaid(line, "doing")).map(({ turn }) => turn),
	);
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
