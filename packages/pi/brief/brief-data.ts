/** The state in a brief as data, for programs: what a session is to reach, what is done and what was found out. */
import { tidy } from "./document.ts";
import { type Goal, type MarkedLine, markedLines, type SessionState } from "./goal-and-constraints.ts";
import { statementsIn } from "./statements.ts";
import { brief, once, type Work } from "./work.ts";
import { type Lists, MAX_LINES } from "./work-lists.ts";

/** Where a state is from: its session, up to its message `last`, and the states of the files that it knew. */
interface Origin {
	readonly session: string;
	readonly last: string;
	/** ISO 8601. */
	readonly savedAt: string;
	readonly cwd: string;
	readonly files: readonly (readonly [path: string, state: string])[];
}

/**
 * Goal, criteria, work and facts, with the newest of each list.
 * @param asked what the user wrote; the first of it stands for a goal that nobody set
 */
export function briefData(
	work: Work,
	goal: Goal | undefined,
	asked: readonly string[],
	state: SessionState,
	lists: Lists,
	{ cwd, files, ...origin }: Origin,
) {
	const [first = ""] = asked;
	const stated = asked.flatMap((text) => markedLines(statementsIn(text, false).join("\n")));
	const statedAs = (wanted: MarkedLine["kind"]) =>
		stated.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
	return {
		version: 1,
		...origin,
		environment: { cwd, files: Object.fromEntries(files) },
		goal: tidy(goal?.text ?? first),
		isGoalDone: goal?.isDone ?? false,
		successCriteria: once([
			...criteriaIn(goal?.text ?? first),
			...[...statedAs("criterion"), ...work.criteria, ...state.constraints],
		]),
		constraints: {
			user: state.constraints,
			noted: once([...state.notedConstraints, ...work.constraints]),
			asked: once([...asked.flatMap(limitsIn), ...statedAs("constraint")]),
		},
		...{ task: state.task, completed: work.completed, inProgress: work.inProgress },
		...{ unconfirmed: work.unconfirmed, nextSteps: lists.todo, openIssues: lists.openIssues },
		decisions: once([...statedAs("decision"), ...lists.decisions]),
		learnings: work.learnings,
		/** The words of the user and the agent as they are, whatever the lists make of them. */
		userMessages: asked.filter((text) => text !== "").slice(-MAX_LINES),
		...{ lastReport: work.lastReport, lastAnswer: work.lastAnswer },
	};
}

/** The requests in a text of the user, an item for each line, sentence and part between semicolons. */
function criteriaIn(text: string): readonly string[] {
	const parts = text
		.split(/[\n;]|(?<=[.!?])\s+/)
		.map((part) => brief(part.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "")));
	return [...new Set(parts)].filter((part) => /^[^#].*\p{L}{2}.*[^:]$/u.test(part)).slice(0, MAX_LINES);
}

/** Words by which a person limits the work, at the beginning of a clause and anywhere. */
const LIMITING =
	/(?:^|[,;–—]\s*|\b(?:and|but|please|just|now on,?)\s+)(?:don[’']t|do not|never|only (?!if\b|when\b)|avoid|keep (?!going\b|on\b))|\bmust\b|\bshould (?:never|not|only)\b|\bleave\b.*\balone\b|\bmake sure\b|\bwithout \w+ing\b|\bno new\b|\bunchanged\b|\b(?:has|have|needs?) to (?:stay|remain|keep)\b|\bshould (?:stay|remain|keep)\b/i;

/** The sentences of a text of the user that limit the work. */
function limitsIn(text: string): readonly string[] {
	return text.split(/\n|(?<=[.!?])\s+/).filter((sentence) => LIMITING.test(sentence.trim()));
}
