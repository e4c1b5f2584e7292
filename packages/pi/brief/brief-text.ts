/** The text of a brief, as a person may edit it: written from a session, and read back with what a person changed. */
import { cutText, formatTokens, quoteStart } from "#basics";
import type { Episode, EpisodeId, Graph } from "#core/graph";
import { isEvicted } from "#core/ledger";
import type { PlanInput } from "#core/planning";
import type { BranchEntry } from "../custom-entries.ts";
import { type CwlError, messageOf, refusal } from "../errors.ts";
import type { Manifest } from "../files/manifest.ts";
import type { Steering } from "../session/log-entries.ts";
import { readValue } from "../settings/schema.ts";
import {
	type Document,
	formatDocument,
	formatFiles,
	onOneLine,
	type Piece,
	tidy,
	writeEntry,
} from "./document.ts";
import {
	addConstraint,
	constraintLines,
	type Goal,
	NOTED,
	readStateText,
	type SessionState,
	stateOf,
} from "./goal-and-constraints.ts";
import { parseDocument } from "./read-document.ts";
import { MAX_LINES, once, type Work } from "./work.ts";
import { type GitPlace, workText } from "./work-text.ts";

const TITLE = "Session brief";
const HELP =
	"Edit the texts and run `/cwl brief sync` or `cwl memory brief` again: what you wrote then holds. Leave the headings; sections of " +
	"your own (`## ...`) are kept. `cwl resume --soft` starts a fresh session from here.";

/** The sections of a brief. */
const sections = {
	state: "State",
	work: "Work",
	episodes: "Episodes",
	files: "Files",
	health: "Context health",
	data: "State as JSON",
} as const;

/** Sections that are written again each time. */
const written: readonly string[] = [TITLE, sections.work, sections.files, sections.health, sections.data];

/** The parts of the state by their headings. */
const headings = {
	goal: "Goal",
	task: "Task",
	constraints: "Constraints",
} as const;
type Part = keyof typeof headings;
const partNames = Object.keys(headings) as readonly Part[];

/** The newest are kept. */
export const MAX_FILES = 200;
/** Characters; a description is sent with every request once its episode is evicted. */
const MAX_DESCRIPTION_LENGTH = 2_000;

/** Reads the place from the record of a brief; undefined where it holds none. */
export function gitIn(record: ReadonlyMap<string, string>): GitPlace | undefined {
	const { branch = "", commit = "" } = Object.fromEntries(record);
	return branch === "" && commit === "" ? undefined : { branch, commit };
}

/** The changes of a person in the file, and its record. Settings and descriptions that were left alone are absent. */
export type BriefEdits = ReturnType<typeof readBriefEdits>;

/**
 * Reads a brief back.
 * @param titles the headings of the episodes in the file
 * @throws CwlError naming the line that cannot be read, others for texts that are too long
 */
export function readBriefEdits(text: string, titles: ReadonlyMap<EpisodeId, string>) {
	const { pieces, record } = parseBrief(text);
	const episodes = new Map([...titles].map(([id, title]) => [title, id]));
	const parts: Partial<Record<Part, string>> = {};
	const descriptions = new Map<EpisodeId, string>();
	const others: string[] = [];
	let line = 1;
	for (const piece of pieces) {
		const { section, lines } = piece;
		const isRead = ["", sections.state, sections.episodes].includes(section);
		const part = partNames.find((name) => section === sections.state && headings[name] === piece.name);
		const episode = section === sections.episodes ? episodes.get(piece.name) : undefined;
		if (!isRead) {
			if (!written.includes(section)) others.push(...lines);
		} else if (piece.type !== "entry") {
			if (lines[0]?.trim() !== "" && !lines[0]?.startsWith("## "))
				throw badBrief(`line ${line}: this text belongs to no heading.`);
		} else if (piece.isEdited) {
			if (part !== undefined) parts[part] = piece.text;
			else if (episode !== undefined) descriptions.set(episode, readDescription(piece));
			else throw badBrief(`line ${line}: nothing has the heading ${quoteStart(piece.name, 80)}.`);
		}
		line += lines.length;
	}
	return {
		steering: steeringOf(parts),
		descriptions,
		record,
		/** Sections of the person's own, as they are. */
		others: others.join("\n").trim(),
	};
}

/** The name of each episode on one line; with its place where two would look alike. */
export function headingsOf(episodes: readonly Episode[]): ReadonlyMap<EpisodeId, string> {
	const names = episodes.map(({ name }) => onOneLine(name).slice(0, 60));
	const isTwin = (name: string) => names.indexOf(name) < names.lastIndexOf(name);
	return new Map(
		episodes.map(({ id }, index) => {
			const name = names[index] ?? "";
			return [id, isTwin(name) ? `${name} (${index + 1})` : name];
		}),
	);
}

function parseBrief(text: string): Document {
	try {
		return parseDocument(text);
	} catch (error) {
		throw badBrief(messageOf(error));
	}
}

function badBrief(found: string): CwlError {
	return refusal(`the brief cannot be read, ${found} Mend or remove the file; nothing was taken from it.`);
}

function readDescription({ name, text }: Piece): string {
	if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
	const limit = `use at most ${MAX_DESCRIPTION_LENGTH}. Nothing was taken from the brief`;
	throw refusal(`the description of ${name} has ${text.length} characters: ${limit}.`);
}

/** The settings that edited parts make. @throws CwlError for texts that are too long */
function steeringOf({ goal, task, constraints }: Partial<Readonly<Record<Part, string>>>): Steering {
	const lines = itemsOf(constraints ?? "");
	const users = lines.filter((line) => !line.endsWith(NOTED));
	const noted = lines.filter((line) => line.endsWith(NOTED)).map((line) => line.slice(0, -NOTED.length));
	return {
		...(goal !== undefined && { goal: readValue("goal", goal), doneGoal: "" }),
		...(task !== undefined && { task: readStateText("task", task) }),
		...(constraints !== undefined && {
			constraints: users.reduce<readonly string[]>((all, line) => addConstraint(all, line), []),
			notedConstraints: stateOf({ notedConstraints: noted }).notedConstraints,
		}),
	};
}

function itemsOf(text: string): readonly string[] {
	const lines = text.split("\n").map((line) => line.replace(/^\s*[-*] /, "").trim());
	return lines.filter((line) => line !== "");
}

export interface BriefSources {
	readonly input: PlanInput;
	readonly goal: Goal | undefined;
	readonly state: SessionState;
	/** The session's id and its folder. */
	readonly session: string;
	readonly cwd: string;
	readonly branch: readonly BranchEntry[];
	/** Undefined outside of a repository, and where git did not answer: the one in the file stays. */
	readonly git?: GitPlace | undefined;
	/** The health of the session, a line each. */
	readonly health?: readonly string[];
	/** ISO 8601. */
	readonly savedAt: string;
	/** The file as it is, undefined when there is none yet. */
	readonly text: string | undefined;
}

/** The sources with what the branch and the edits of the file say. */
export interface ResolvedSources extends BriefSources {
	/** The id of the session's last message. */
	readonly last: string;
	readonly manifest: Manifest;
}

function dashes(lines: readonly string[]): readonly string[] {
	return lines.map((line) => `- ${line}`);
}

/**
 * The text of the file, and its state as data.
 * @param graph with the descriptions of the edits
 * @param work the work of that graph
 */
export function formatBrief(sources: ResolvedSources, graph: Graph, work: Work, edits: BriefEdits) {
	const { input, goal, state, health = [] } = sources;
	const titles = headingsOf(graph.episodes);
	const episodes = graph.episodes.map((episode) => {
		const isGone = isEvicted(episode, input.view);
		const now = isGone ? "evicted" : work.finished.has(episode) ? "closed" : "open";
		const facts = `${episode.kind}; ${now}; ${formatTokens(episode.tokens)} tokens`;
		const text = cutText(episode.description ?? "", MAX_DESCRIPTION_LENGTH);
		return writeEntry({ name: titles.get(episode.id) ?? "", facts, text });
	});
	const files = [...sources.manifest].slice(-MAX_FILES);
	const data = briefData(sources, work, files);
	const section = (name: string, ...lines: readonly string[]) =>
		lines.length > 0 ? [`## ${name}\n`, ...lines, ""] : [];
	const parts = [
		`# ${TITLE}\n\n${HELP}\n\n## ${sections.state}\n`,
		writeEntry({ name: headings.goal, text: goal?.text ?? "", facts: goal?.isDone ? "done" : "" }),
		writeEntry({ name: headings.task, text: state.task }),
		writeEntry({
			name: headings.constraints,
			text: constraintLines(state)
				.map((line) => `* ${line}`)
				.join("\n"),
		}),
		`## ${sections.episodes}\n`,
		...episodes,
		...section(sections.files, ...formatFiles(new Map(files))),
		...section(sections.work, ...workLines(work, sources.git)),
		...section(sections.health, ...dashes(health)),
		...section(sections.data, "```json", JSON.stringify(data, null, 2), "```"),
		edits.others,
	];
	return { text: formatDocument(parts, recordOf(sources), "brief"), data };
}

/** The record at the end of the file: by what it is found to fit a session or not. */
function recordOf({ session, cwd, last, savedAt, git }: ResolvedSources): ReadonlyMap<string, string> {
	const all = { session, cwd, last, saved: savedAt, branch: git?.branch ?? "", commit: git?.commit ?? "" };
	const known = Object.entries(all).filter(([, value]) => value !== "");
	return new Map(known.map(([key, value]) => [key, onOneLine(value)]));
}

/** The state in a brief as data, for programs: what a session is to reach, what is done and what was found out. */
function briefData(
	{ goal, state, session, last, savedAt, cwd, git }: ResolvedSources,
	work: Work,
	files: readonly (readonly [path: string, state: string])[],
) {
	const [first = ""] = work.userMessages;
	const wanted = goal?.text ?? first;
	return {
		version: 1,
		session,
		last,
		savedAt,
		environment: { cwd, git: git ?? null, files: Object.fromEntries(files) },
		goal: tidy(wanted),
		isGoalDone: goal?.isDone ?? false,
		/** The lines of the goal, and the user's constraints. */
		successCriteria: once([...itemsOf(wanted), ...state.constraints]),
		constraints: { user: state.constraints, noted: state.notedConstraints },
		task: state.task,
		completed: work.completed,
		inProgress: work.inProgress,
		nextSteps: work.lists.todo,
		decisions: work.lists.decisions,
		openIssues: work.lists.openIssues,
		learnings: work.learnings,
		changedFiles: work.changedFiles.slice(-MAX_FILES),
		userMessages: work.userMessages.slice(-MAX_LINES),
		answers: work.answers,
	};
}

/** The work as a fresh session gets it, and what the user wrote. */
function workLines(work: Work, git: GitPlace | undefined): readonly string[] {
	const asked = dashes(once(work.userMessages));
	const messages = asked.length > 0 ? ["Your messages:", ...asked] : [];
	return ["Written again each time.\n", workText(work, git), ...messages];
}
