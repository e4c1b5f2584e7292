/**
 * The brief of a session: its goal, task and constraints, what is decided, to do and open, and each episode with its
 * description, in one file that a person may edit and a fresh session starts from. No model in it.
 */
import type { Episode, EpisodeId, Graph } from "#core/graph";
import { type PlanInput, planDescriptions, withDescriptions } from "#core/planning";
import { quoteStart } from "#core/transcript";
import { CwlError } from "../errors.ts";
import type { Manifest } from "../files/manifest.ts";
import { countOf, formatTokens } from "../screen/figures.ts";
import { briefData } from "./brief-data.ts";
import {
	type BriefEdits,
	briefRecord,
	headings,
	type ListName,
	type Lists,
	listNames,
	MAX_DESCRIPTION_LENGTH,
	MAX_LINES,
	NOTED,
	noEdits,
	type Part,
	readBriefEdits,
	sections,
	TITLE,
} from "./brief-file.ts";
import { formatDocument, formatFile, onOneLine, otherLines, writeEntry } from "./document.ts";
import { type Goal, goalOf, markedLines, type SessionState, stateOf } from "./goal-and-constraints.ts";
import { finishedEpisodes } from "./session-findings.ts";

const HELP =
	"Edit the texts and run `/cwl brief sync` or `cwl memory brief` again: what you wrote then holds. Leave the headings; sections of " +
	"your own (`## ...`) are kept. `cwl resume --soft` starts a fresh session from here.";

/** The newest are kept. */
const MAX_FILES = 200;
/** Characters of the first message. */
const MAX_ASKED = 200;

/** Each line once, the newest last; a later `Done:` with the same words takes a line back. */
export function listsOf({ episodes }: Pick<Graph, "episodes">): Lists {
	const lines = episodes.flatMap(({ description = "" }) => markedLines(description));
	const collect = (wanted: "todo" | "decision" | "open") => {
		const texts = new Map<string, string>();
		for (const { kind, text } of lines) {
			const isDone = kind === "done" && wanted !== "decision";
			if (!isDone && kind !== wanted) continue;
			texts.delete(keyOf(text));
			if (!isDone) texts.set(keyOf(text), text.slice(0, MAX_DESCRIPTION_LENGTH));
		}
		return [...texts.values()].slice(-MAX_LINES);
	};
	return { todo: collect("todo"), decisions: collect("decision"), openIssues: collect("open") };
}

function keyOf(text: string): string {
	return text.toLowerCase().replace(/(?<![.!\s])[.!\s]+$/, "");
}

/**
 * The words by which a fresh session starts, without those that reach it otherwise: goal, task and constraints by the state,
 * finished episodes by their lines. "" if nothing is left to say.
 */
export function startText(
	{ episodes }: Pick<Graph, "episodes">,
	{ todo, decisions, openIssues }: Lists,
): string {
	const open = episodes.filter(({ origin, state }) => origin === "declared" && state === "open");
	const parts: readonly (readonly [string, readonly string[]])[] = [
		["In progress when it ended, so not finished:", open.map(({ name }) => name)],
		["To do, not begun:", todo],
		["Decided:", decisions],
		["Open issues:", openIssues],
	];
	const shortLine = (line: string) => `- ${line.replace(/\s+/g, " ").slice(0, MAX_DESCRIPTION_LENGTH)}`;
	return parts
		.flatMap(([head, lines]) => (lines.length > 0 ? [head, ...lines.slice(-MAX_LINES).map(shortLine)] : []))
		.join("\n");
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
}

export type BriefUpdate = ReturnType<typeof updateBrief>;

/**
 * Takes a person's edits from the file and writes it again.
 * @throws CwlError for a file that cannot be read and for texts that are too long; nothing is to change then
 */
export function updateBrief(sources: BriefSources) {
	const { input, text } = sources;
	const { episodes } = input.graph;
	const ids = new Map(headingsOf(episodes).map((heading, at) => [heading, episodes[at]?.id ?? ""]));
	const edits = text === undefined ? noEdits : readBriefEdits(text, ids);
	for (const [heading, { length }] of edits.descriptions) {
		const limit = `use at most ${MAX_DESCRIPTION_LENGTH}. Nothing was taken from the brief`;
		const found = `the description of ${heading} has ${length} characters: ${limit}.`;
		if (length > MAX_DESCRIPTION_LENGTH) throw new CwlError("bad-brief", found);
	}
	const { steering } = edits;
	const descriptions: ReadonlyMap<EpisodeId, string> = new Map(
		[...edits.descriptions].map(([heading, description]) => [ids.get(heading) ?? "", description]),
	);
	const graph = withDescriptions(input.graph, descriptions);
	const after = {
		...sources,
		goal: steering.goal === undefined ? sources.goal : goalOf(steering.goal, ""),
		state: stateOf({ ...sources.state, ...steering }),
	};
	const finished = finishedEpisodes(graph).filter(
		({ origin, description }) => origin === "declared" || description !== undefined,
	);
	const files = countOf(Math.min(sources.manifest.size, MAX_FILES), "file");
	return {
		/** The new text of the file, and its state as data. */
		...format(after, graph, edits),
		/** Goal, task and constraints that a person changed. */
		steering,
		descriptions,
		/** Puts the new descriptions into lines that are already in the context. */
		pass: planDescriptions(input, descriptions),
		/** One line on what is in the file. */
		summary: `${countOf(finished.length, "finished episode")}, ${listsOf(graph).todo.length} to do, ${files}`,
	};
}

function bullets(lines: readonly string[]): string {
	return lines.map((line) => `* ${line}`).join("\n");
}

function format(sources: BriefSources, graph: Graph, edits: BriefEdits) {
	const { input, goal, state, session, cwd, last, savedAt, manifest } = sources;
	const noted = state.notedConstraints.map((line) => `${line}${NOTED}`);
	const marks = listsOf(graph);
	const marked = new Set(
		graph.episodes.flatMap(({ description = "" }) => markedLines(description).map(({ text }) => keyOf(text))),
	);
	const part = (name: Part, text: string, more: { facts?: string; written?: string } = {}) =>
		writeEntry({ section: sections.state, name: headings[name], text, ...more });
	// A line that no description has is the person's, and stays until the person removes it.
	const withOwn = (name: ListName) => {
		const own = edits.lists[name]?.filter((line) => !marked.has(keyOf(line))) ?? [];
		return [...own, ...marks[name]];
	};
	const lists = { todo: withOwn("todo"), decisions: withOwn("decisions"), openIssues: withOwn("openIssues") };
	const titles = headingsOf(input.graph.episodes);
	const list = (name: ListName) => part(name, bullets(lists[name]), { written: bullets(marks[name]) });
	const episodes = graph.episodes.map((episode, index) => {
		const isEvicted = input.view.episodes.get(episode.id)?.level === 4;
		const facts = `${episode.kind}; ${isEvicted ? "evicted" : episode.state}; ${formatTokens(episode.tokens)} tokens`;
		const { description: text = "" } = episode;
		return writeEntry({ section: sections.episodes, name: titles[index] ?? "", facts, text });
	});
	const files = [...manifest].slice(-MAX_FILES).map(([file, now]) => formatFile(file, now));
	const health = sources.health?.length
		? [`## ${sections.health}\n`, ...sources.health.map((line) => `- ${line}`)].join("\n")
		: edits.health;
	const first = graph.messages.find(({ author }) => author === "user")?.items[0];
	const asked = (first && input.textOf?.(first)) ?? "";
	const data = briefData(graph, goal, asked, state, lists);
	const json = `## ${sections.data}\n\n\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\`\n`;
	const pieces = [
		...otherLines(`# ${TITLE}\n\n${HELP}\n\n## ${sections.state}\n`),
		part("goal", goal?.text ?? "", goalFacts(goal, asked)),
		part("task", state.task),
		part("constraints", bullets([...state.constraints, ...noted])),
		...listNames.map(list),
		...[...otherLines(`## ${sections.episodes}\n`), ...episodes],
		...(files.length > 0 ? otherLines([`## ${sections.files}`, "", ...files, ""].join("\n")) : []),
		...(health === "" ? [] : otherLines(`${health}\n`)),
		...otherLines(json),
		...(edits.others === "" ? [] : otherLines(edits.others)),
	];
	const record = briefRecord(session, cwd, last, savedAt);
	return { text: formatDocument({ pieces, record }, "brief"), data };
}

/** Without a goal, the first message stands in for it; read back, it is none. */
function goalFacts(goal: Goal | undefined, asked: string) {
	if (goal) return goal.isDone ? { facts: "done" } : {};
	return asked === ""
		? {}
		: { facts: `none set; the session began with ${quoteStart(onOneLine(asked), MAX_ASKED)}` };
}

/** The name of each episode on one line; with its place where two would look alike. */
function headingsOf(episodes: readonly Episode[]): readonly string[] {
	const names = episodes.map(({ name }) => onOneLine(name).slice(0, 60));
	const isTwin = (name: string) => names.indexOf(name) < names.lastIndexOf(name);
	return names.map((name, index) => (isTwin(name) ? `${name} (${index + 1})` : name));
}

/** The outcome in one line. */
export function describeBriefUpdate(
	{ steering, descriptions, pass, summary }: BriefUpdate,
	path: string,
): string {
	const taken = [
		...(["goal", "task", "constraints"] as const).flatMap((key) =>
			steering[key] === undefined ? [] : [`the ${key}`],
		),
		...(descriptions.size > 0 ? [countOf(descriptions.size, "description")] : []),
	];
	if (taken.length === 0)
		return `the brief is in ${path}: ${summary}. Edit it and run this again; \`cwl resume --soft\` starts from it.`;
	const how = pass
		? "; lines of evicted episodes change with the next request, which rewrites the cache once"
		: "";
	return `took ${taken.join(", ")} from ${path}, ${taken.length > 1 || descriptions.size > 1 ? "which hold" : "which holds"} from now on${how}.`;
}
