/** The lists of a session: lines about what is left, decided and open, weighed against what later turns say. */
import type { Episode } from "#core/graph";
import { keyOf } from "./document.ts";
import type { MarkedLine } from "./goal-and-constraints.ts";
import { hasCall, NOTHING } from "./statements.ts";

/** The newest are kept of each list. */
export const MAX_LINES = 40;
/** Lines of a kind that are weighed against each other, the newest. */
const MAX_STATED = 200;
/** Characters; a description is sent with every request once its episode is evicted. */
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** By list: what descriptions and unmarked answers say with marked lines. */
export type Lists = Readonly<Record<"todo" | "decisions" | "openIssues", readonly string[]>>;

/** A marked line, and the turn of unmarked work; undefined for marked work, -1 for an earlier session. */
export type Line = MarkedLine & { readonly turn: number | undefined };

export const isMarked = ({ origin }: Episode) => origin === "declared";

export function isSaid({ kind, text }: Line, wanted: MarkedLine["kind"]): boolean {
	return kind === wanted && !NOTHING.test(text);
}

/**
 * Each line once, the newest last. A later `Done:` with the same words takes a line back. Of unmarked work a line is over once a
 * later turn says nearly all of its words or what is left instead, a question once work went on, and a failed test once tests pass.
 * The steps before the turn `agreed` are over; see `agreedTurn`.
 */
export function listsOf(lines: readonly Line[], said: ReturnType<typeof saidBy>, agreed: number): Lists {
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
				later.turn > turn && ((isFailure && PASSING.test(later.text)) || isHeldBy(later.words, words)),
		);
	};
	const collect = (wanted: "todo" | "decision" | "open") => {
		const texts = new Map<string, string>();
		const stated = lines.filter(({ kind }) => kind === wanted).slice(-MAX_STATED);
		const replaced = replacedLines(stated);
		const isLeft = (line: Line) => !replaced.has(line) && !isOver(line);
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

/**
 * The lines of a turn that later ones take the place of: those that are said again, and those before them, as steps are taken in
 * their order; all of them where half or more is said again, or that there are none.
 */
function replacedLines(stated: readonly Line[]): ReadonlySet<Line> {
	const known = stated.flatMap((line) => {
		const { turn, text } = line;
		if (turn === undefined) return [];
		return [{ line, turn, key: keyOf(text), words: stemsOf(text), isNone: NOTHING.test(text) }];
	});
	const replaced = [...new Set(known.map(({ turn }) => turn))].flatMap((turn) => {
		const [own, later] = [
			known.filter((each) => each.turn === turn),
			known.filter((each) => each.turn > turn),
		];
		const isAgain = own.map(({ key, words }) =>
			later.some(
				(each) =>
					each.isNone || each.key === key || isHeldBy(each.words, words) || isHeldBy(words, each.words),
			),
		);
		const isAll = 2 * isAgain.filter(Boolean).length >= own.length;
		const gone = isAll ? own : own.filter((_, at) => isAgain[at] || at < isAgain.indexOf(true));
		return gone.map(({ line }) => line);
	});
	return new Set(replaced);
}

/** Says of something under a heading such as "Risks" that it is none. */
const SETTLED =
	/(?<!\b(?:not|never|isn[’']t|un) ?)(?:handled|fixed|resolved|mitigated|solved|safe|fine)[.!)*]*$/i;
const PASSING =
	/\b(?:tests?|checks?|suites?|everything)\b.*\bpass(?:es|ed)?\b|\bpass(?:es)? (?:again|now)\b/i;

/** The statements of unmarked work that name nothing that is left; `isWork` if their episode made calls. */
export function saidBy(episodes: readonly Episode[], statementsOf: (episode: Episode) => string) {
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

/** Returns true if nearly all words of a line are there: of five words one may be missing, of fewer none. */
function isHeldBy(there: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
	const missing = [...wanted].filter((word) => !there.has(word)).length;
	return wanted.size >= 2 && missing <= Math.floor(wanted.size / 5);
}
