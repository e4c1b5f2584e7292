/**
 * The text of a brief, as a person may edit it: written from a session, and read back with what a person changed.
 */
import type { EpisodeId, Graph } from "#core/graph";
import type { PlanInput } from "#core/planning";
import { cutText, quoteStart } from "#core/transcript";
import { type CwlError, refusal } from "../errors.ts";
import type { Manifest } from "../files/manifest.ts";
import { formatTokens } from "../screen/figures.ts";
import type { Steering } from "../session/log-entries.ts";
import { readValue } from "../settings/schema.ts";
import { briefData } from "./brief-data.ts";
import {
	formatDocument,
	formatFile,
	keyOf,
	onOneLine,
	otherLines,
	type Piece,
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
import { type Carried, once, type Work } from "./work.ts";
import { type Lists, MAX_DESCRIPTION_LENGTH } from "./work-lists.ts";

const TITLE = "Session brief";
const HELP =
	"Edit the texts and run `/cwl brief sync` or `cwl memory brief` again: what you wrote then holds. Leave the headings; sections of " +
	"your own (`## ...`) are kept. `cwl resume --soft` starts a fresh session from here.";

/** The sections of a brief. */
const sections = {
	state: "State",
	work: "Success criteria, completed work, learnings",
	episodes: "Episodes",
	files: "Files",
	health: "Context health",
	data: "State as JSON",
} as const;

/** The parts of the state by their headings. */
const headings = {
	goal: "Goal",
	task: "Task",
	constraints: "Constraints",
	todo: "To do",
	decisions: "Decisions",
	openIssues: "Open issues",
} as const;
type Part = keyof typeof headings;
const partNames = Object.keys(headings) as readonly Part[];
export const listNames = ["todo", "decisions", "openIssues"] as const;

/** The newest are kept. */
export const MAX_FILES = 200;
/** Characters of the first message. */
const MAX_ASKED = 200;

/** The changes of a person in the file, and its record. Settings, lists and descriptions that were left alone are absent. */
export type BriefEdits = ReturnType<typeof readBriefEdits>;

/**
 * Reads a brief back, and the session notes of earlier versions.
 * @param episodes by the headings that may be in the file; any heading without them
 * @throws CwlError naming the line that cannot be read, others for texts that are too long
 */
export function readBriefEdits(text: string, episodes?: ReadonlyMap<string, EpisodeId>) {
	const isNotes = /^\uFEFF?# Session notes/.test(text);
	const parsed = parseDocument(
		isNotes ? text.replace(/^## Goal\s*$/m, `## ${sections.state}\n### Goal`) : text,
		"brief",
	);
	if (parsed.type === "refused") throw badBrief(parsed.reason);
	if (parsed.isInConflict) throw badBrief(parsed.problems[0] ?? "");
	const parts: Partial<Record<Part, string>> = {};
	const descriptions = new Map<EpisodeId, string>();
	const others: string[] = [];
	const health: string[] = [];
	let line = isNotes ? 0 : 1;
	for (const piece of parsed.pieces) {
		const { section, lines } = piece;
		const isOurs = ["", sections.state, sections.episodes].includes(section);
		if (section === sections.health) health.push(...lines);
		else if (!isOurs) {
			if (![TITLE, "Session notes", sections.work, sections.files, sections.data].includes(section))
				others.push(...lines);
		} else if (piece.type === "entry") {
			const part = partNames.find((name) => headings[name] === piece.name);
			const episode = episodes ? episodes.get(piece.name) : piece.name;
			if (section === sections.episodes && episode !== undefined) {
				if (piece.isEdited) descriptions.set(episode, episodes ? readDescription(piece) : piece.text);
			} else if (section === sections.state && part) {
				if (piece.isEdited) parts[part] = piece.text;
			} else if (section !== sections.episodes || piece.isEdited)
				throw badBrief(`line ${line}: nothing has the heading ${quoteStart(piece.name, 80)}.`);
		} else if (lines[0]?.trim() !== "" && !lines[0]?.startsWith("## ")) {
			throw badBrief(`line ${line}: this text belongs to no heading.`);
		}
		line += lines.length;
	}
	return {
		...editsOf(parts),
		/** By episode; by heading where the episodes are not known. */
		descriptions,
		record: parsed.record,
		/** The section of that name, and sections of the person's own, as they are. */
		...{ health: health.join("\n").trim(), others: others.join("\n").trim() },
	};
}

export function badBrief(found: string): CwlError {
	return refusal(`the brief cannot be read, ${found} Mend or remove the file; nothing was taken from it.`);
}

function readDescription({ name, text }: Piece): string {
	if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
	const limit = `use at most ${MAX_DESCRIPTION_LENGTH}. Nothing was taken from the brief`;
	throw refusal(`the description of ${name} has ${text.length} characters: ${limit}.`);
}

/** The settings that edited parts make. @throws CwlError for texts that are too long */
export function editsOf(parts: Partial<Readonly<Record<Part, string>>>): {
	readonly steering: Steering;
	readonly lists: Partial<Lists>;
} {
	const { goal, task, constraints } = parts;
	const lines = itemsOf(constraints ?? "");
	const users = lines.filter((line) => !line.endsWith(NOTED));
	const noted = lines.filter((line) => line.endsWith(NOTED)).map((line) => line.slice(0, -NOTED.length));
	const lists = listNames.filter((name) => parts[name] !== undefined);
	return {
		steering: {
			...(goal !== undefined && { goal: readValue("goal", goal), doneGoal: "" }),
			...(task !== undefined && { task: readStateText("task", task) }),
			...(constraints !== undefined && {
				constraints: users.reduce<readonly string[]>((all, line) => addConstraint(all, line), []),
				notedConstraints: stateOf({ notedConstraints: noted }).notedConstraints,
			}),
		},
		lists: Object.fromEntries(lists.map((name) => [name, itemsOf(parts[name] ?? "")])),
	};
}

function itemsOf(text: string): readonly string[] {
	const lines = text.split("\n").map((line) => line.replace(/^\s*[-*] /, "").trim());
	return lines.filter((line) => line !== "");
}

/** The session that a brief is from, the id of its last message and when it was saved, as the file has it. */
export function briefRecord(session: string, cwd: string, last: string, saved: string) {
	return new Map(
		Object.entries({ session, cwd, last, saved }).map(([key, value]) => [key, onOneLine(value)]),
	);
}

export interface BriefSources {
	readonly input: PlanInput;
	readonly goal: Goal | undefined;
	readonly state: SessionState;
	readonly manifest: Manifest;
	/** The session's id, its folder, and the id of its last message. */
	readonly session: string;
	readonly cwd: string;
	readonly last: string;
	/** The health of the session, a line each; without any, those in the file stay. */
	readonly health?: readonly string[];
	/** ISO 8601. */
	readonly savedAt: string;
	/** The file as it is, undefined when there is none yet. */
	readonly text: string | undefined;
	/** The work that the session goes on from; none if left out. */
	readonly carried?: Carried;
}

function bullets(lines: readonly string[]): string {
	return lines.map((line) => `* ${line}`).join("\n");
}

/**
 * The text of the file, and its state as data.
 * @param graph with the descriptions of the edits
 * @param work the work of that graph
 * @param titles headings of its episodes
 */
export function formatBrief(
	sources: BriefSources,
	graph: Graph,
	work: Work,
	titles: readonly string[],
	edits: BriefEdits,
) {
	const { input, goal, state, session, cwd, last, savedAt, manifest } = sources;
	const marked = new Set(work.lines.map(({ text }) => keyOf(text)));
	const part = (name: Part, text: string, more: { facts?: string; written?: string } = {}) =>
		writeEntry({ section: sections.state, name: headings[name], text, ...more });
	// A line that no description has is the person's, and stays until the person removes it.
	const withOwn = (name: keyof Lists) => {
		const own = edits.lists[name]?.filter((line) => !marked.has(keyOf(line))) ?? [];
		return [...own, ...work.lists[name]];
	};
	const lists = { todo: withOwn("todo"), decisions: withOwn("decisions"), openIssues: withOwn("openIssues") };
	const list = (name: keyof Lists) =>
		part(name, bullets(lists[name]), { written: bullets(work.lists[name]) });
	const episodes = graph.episodes.map((episode, index) => {
		const isEvicted = input.view.episodes.get(episode.id)?.level === 4;
		const now = isEvicted ? "evicted" : work.finished.has(episode) ? "closed" : "open";
		const facts = `${episode.kind}; ${now}; ${formatTokens(episode.tokens)} tokens`;
		const text = cutText(work.statementsOf(episode), MAX_DESCRIPTION_LENGTH);
		return writeEntry({ section: sections.episodes, name: titles[index] ?? "", facts, text });
	});
	const known = [...manifest].slice(-MAX_FILES);
	const files = known.map(([file, now]) => formatFile(file, now));
	const health = sources.health?.length
		? [`## ${sections.health}\n`, ...sources.health.map((line) => `- ${line}`)].join("\n")
		: edits.health;
	const asked = graph.messages.flatMap(({ author, items: [first] }) =>
		author === "user" && first ? [input.textOf?.(first) ?? ""] : [],
	);
	const data = briefData(work, goal, asked, state, lists, { session, last, savedAt, cwd, files: known });
	const json = `## ${sections.data}\n\n\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\`\n`;
	const pieces = [
		...otherLines(`# ${TITLE}\n\n${HELP}\n\n## ${sections.state}\n`),
		part("goal", goal?.text ?? "", { facts: goalFacts(goal, asked[0]) }),
		part("task", state.task),
		part("constraints", bullets(constraintLines(state))),
		...listNames.map(list),
		...[...otherLines(`## ${sections.episodes}\n`), ...episodes],
		...(files.length > 0 ? otherLines([`## ${sections.files}`, "", ...files, ""].join("\n")) : []),
		...otherLines(workSection(data)),
		...(health === "" ? [] : otherLines(`${health}\n`)),
		...otherLines(json),
		...(edits.others === "" ? [] : otherLines(edits.others)),
	];
	const record = briefRecord(session, cwd, last, savedAt);
	return { text: formatDocument({ pieces, record }, "brief"), data };
}

/** Lists the work that the data knows and no heading of the state holds. */
function workSection(data: ReturnType<typeof briefData>): string {
	const lists = [
		["Success criteria", data.successCriteria],
		["Limits in your messages", data.constraints.asked],
		["Completed", data.completed],
		["In progress", data.inProgress],
		["Asked for, and no answer reports all of it done", data.unconfirmed],
		["Learned", data.learnings.map(({ text }) => text)],
		["Your messages", once(data.userMessages)],
	] as const;
	const told = lists.filter(([, lines]) => lines.length > 0);
	const quoted = (name: string, text: string) =>
		text === "" ? [] : [`${name}:\n`, text.replace(/^/gm, "> "), ""];
	return [
		`## ${sections.work}\n\nWritten again each time.\n`,
		...told.flatMap(([name, lines]) => [`${name}:\n`, ...lines.map((line) => `- ${line}`), ""]),
		...quoted("Last report", data.lastReport),
		...quoted("Last answer", data.lastAnswer),
	].join("\n");
}

/** Without a goal, the first message stands in for it; read back, it is none. */
function goalFacts(goal: Goal | undefined, asked = ""): string {
	if (goal) return goal.isDone ? "done" : "";
	return asked === "" ? "" : `none set; the session began with ${quoteStart(onOneLine(asked), MAX_ASKED)}`;
}
