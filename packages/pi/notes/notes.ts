/** Session notes, there and back: what the file says next, and what of a person's edits is to hold. No model in it. */
import type { Episode, EpisodeId } from "#core/graph";
import type { Pass } from "#core/log";
import type { PlanInput } from "#core/planning";
import { type Descriptions, planDescriptions, withDescriptions } from "#core/projection";
import { CwlError } from "../errors.ts";
import { readKnowledge } from "../files/manifest.ts";
import type { Goal } from "../prompt/goal.ts";
import { formatTokens } from "../screen/figures.ts";
import { readValue } from "../settings/schema.ts";
import { formatNotes, type NotesEpisode, parseNotes, tidy } from "./notes-file.ts";

/** Characters; a description is sent with every request once its episode is evicted. */
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_FILES = 8;

export interface NotesSources {
	readonly input: PlanInput;
	readonly goal: Goal | undefined;
	/** The session's id. */
	readonly session: string;
	readonly cwd: string;
	/** The file as it is, undefined when there is none yet. */
	readonly text: string | undefined;
}

export interface NotesUpdate {
	/** The new text of the file. */
	readonly text: string;
	/** Undefined when the person left it alone. */
	readonly goal: string | undefined;
	readonly descriptions: Descriptions;
	/** Puts the new descriptions into lines that stand already. */
	readonly pass: Pass | undefined;
}

/**
 * Take a person's edits from the file and write it anew.
 * @throws CwlError for a file that cannot be read and for texts that are too long; nothing is to change then
 */
export function updateNotes({ input, goal, session, cwd, text }: NotesSources): NotesUpdate {
	const { episodes } = input.graph;
	const headings = new Map(
		episodes.map((episode, index) => [headingOf(episodes, episode, index), episode.id]),
	);
	const edits = text === undefined ? undefined : parseNotes(text, [...headings.keys()]);
	const descriptions = new Map<EpisodeId, string>();
	for (const [heading, description] of edits?.descriptions ?? []) {
		if (description.length > MAX_DESCRIPTION_LENGTH) throw tooLong(heading, description.length);
		const id = headings.get(heading);
		if (id !== undefined) descriptions.set(id, description);
	}
	const newGoal = edits?.goal === undefined ? undefined : readValue("goal", edits.goal);
	const graph = withDescriptions(input.graph, descriptions);
	const files = filesByEpisode(input, cwd);
	const written = formatNotes({
		title: `Session ${session}${goal?.isDone && newGoal === undefined ? ", its goal is done" : ""}.`,
		goal: newGoal ?? goal?.text ?? "",
		episodes: graph.episodes.map((episode, index): NotesEpisode => {
			const heading = headingOf(episodes, episode, index);
			const level = input.view.episodes.get(episode.id)?.level;
			const facts = factsOf(episode, level === 4, files.get(episode.name) ?? []);
			return { heading, facts, description: episode.description ?? "" };
		}),
		others: edits?.others ?? "",
	});
	return { text: written, goal: newGoal, descriptions, pass: planDescriptions(input, descriptions) };
}

/** The name on one line; with its place where two would look alike. */
function headingOf(episodes: readonly Episode[], { name }: Episode, index: number): string {
	const shown = lineOf(name);
	const isTwin = episodes.some((other, place) => place !== index && lineOf(other.name) === shown);
	return isTwin ? `${shown} (${index + 1})` : shown;
}

function lineOf(name: string): string {
	return tidy(name).replace(/\s+/g, " ");
}

function factsOf(
	{ kind, state, tokens, dependencies }: Episode,
	isEvicted: boolean,
	files: readonly string[],
): string {
	const facts = [kind, isEvicted ? "evicted" : state, `${formatTokens(tokens)} tokens`];
	if (dependencies.length > 0) facts.push(`builds on ${dependencies.map(lineOf).join(", ")}`);
	const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "";
	if (files.length > 0) facts.push(`files ${files.slice(0, MAX_FILES).map(lineOf).join(", ")}${more}`);
	return facts.join("; ");
}

function filesByEpisode({ graph }: PlanInput, cwd: string): ReadonlyMap<string, readonly string[]> {
	const files = new Map<string, string[]>();
	for (const [file, names] of readKnowledge(graph, cwd)) {
		for (const name of names) files.set(name, [...(files.get(name) ?? []), file]);
	}
	return files;
}

function tooLong(heading: string, length: number): CwlError {
	const limit = `use at most ${MAX_DESCRIPTION_LENGTH}. Nothing was taken from the notes`;
	return new CwlError("bad-notes", `the description of ${heading} has ${length} characters: ${limit}.`);
}

/** The outcome in one line. */
export function describeEdits({ goal, descriptions, pass }: NotesUpdate, path: string): string {
	const taken: string[] = [];
	if (goal !== undefined) taken.push("the goal");
	if (descriptions.size > 0) {
		taken.push(`${descriptions.size} ${descriptions.size === 1 ? "description" : "descriptions"}`);
	}
	if (taken.length === 0) return `notes are in ${path}: edit them and run this again.`;
	const how = pass
		? "; lines of evicted episodes change with the next request, which rewrites the cache once"
		: "";
	return `took ${taken.join(" and ")} from ${path}: they hold from now on${how}.`;
}
