/**
 * Session notes as Markdown that a person can edit: the goal, and each episode with its description. Every text is
 * followed by a mark of what was written, so that an edit can be told from what was left alone.
 */
import { fnv1a } from "#core";
import { visibleText } from "#core/projection";
import { CwlError } from "../errors.ts";

export interface NotesEpisode {
	/** As the heading has it: one line, no two alike. */
	readonly heading: string;
	/** One line that tells kind, state, size and files; rewritten each time. */
	readonly facts: string;
	readonly description: string;
}

export interface Notes {
	/** One line that names the session. */
	readonly title: string;
	/** "" for none. */
	readonly goal: string;
	readonly episodes: readonly NotesEpisode[];
	/** Sections of the person's own, as they are. */
	readonly others: string;
}

/** The user's edits, and the user's own sections. */
export interface NotesEdits {
	/** Undefined when it was left alone. */
	readonly goal: string | undefined;
	/** New descriptions by heading. */
	readonly descriptions: ReadonlyMap<string, string>;
	readonly others: string;
}

const HEAD = "# Session notes";
const HELP =
	"Edit the goal and the descriptions and run `/cwl notes` or `cwl memory notes` again: what you wrote then holds. Leave the " +
	"headings; sections of your own (`## ...`) at the end are kept.";

/** The file's text. */
export function formatNotes({ title, goal, episodes, others }: Notes): string {
	const parts = [
		`${HEAD}\n\n${title}\n\n${HELP}`,
		`## Goal\n\n${guard(goal)}`,
		"## Episodes",
		...episodes.map(
			({ heading, facts, description }) => `### ${heading}\n\n_${facts}_\n\n${guard(description)}`,
		),
	];
	if (others !== "") parts.push(others);
	return `${parts.join("\n\n")}\n`;
}

/** Lines that could be taken for ours get a backslash, which Markdown does not show. */
function guard(text: string): string {
	const harmless = tidy(text);
	const lines = harmless.split("\n").map((line) => line.replace(/^(?=\\*(?:#|_|<!-- cwl))/, "\\"));
	return `${harmless === "" ? "" : `${lines.join("\n")}\n\n`}<!-- cwl ${hash(harmless)} -->`;
}

/** Text as a file holds it: what would move a cursor is not in it, nor white space around it. */
export function tidy(text: string): string {
	return visibleText(text.replace(/\r\n?/g, "\n")).trim();
}

/**
 * Read a file back.
 * @throws CwlError `bad-notes` naming the line that cannot be read
 */
export function parseNotes(text: string, headings: readonly string[]): NotesEdits {
	const lines = text.replace(/\r\n?/g, "\n").split("\n");
	if (lines[0]?.trim() !== HEAD) throw badNotes(1, `the first line is not "${HEAD}"`);
	const known = new Set(headings);
	const edits = {
		goal: undefined as string | undefined,
		descriptions: new Map<string, string>(),
		others: "",
	};
	for (const { heading, number, body } of sectionsOf(lines)) {
		if (heading === "## Goal") edits.goal = editIn(body);
		else if (heading === "## Episodes") {
			if (body.join("").trim() !== "") throw badNotes(number + 1, "text before the first episode");
		} else if (heading.startsWith("## ")) edits.others += `\n${[heading, ...body].join("\n").trimEnd()}\n`;
		else {
			const name = heading.slice(4);
			if (!known.has(name)) throw badNotes(number, `no episode has the heading "${tidy(name)}"`);
			const edit = editIn(body);
			if (edit !== undefined) edits.descriptions.set(name, edit);
		}
	}
	return { ...edits, others: edits.others.trim() };
}

interface Section {
	readonly heading: string;
	/** Line of the heading, from 1. */
	readonly number: number;
	readonly body: readonly string[];
}

/** Episodes stand under `## Episodes`; a `###` under a section of the person's own belongs to that. */
function sectionsOf(lines: readonly string[]): readonly Section[] {
	const sections: { heading: string; number: number; body: string[] }[] = [];
	let isEpisodes = false;
	for (const [index, line] of lines.entries()) {
		const isSection = line.startsWith("## ");
		if (isSection) isEpisodes = line.trimEnd() === "## Episodes";
		if (isSection || (isEpisodes && line.startsWith("### "))) {
			sections.push({ heading: line.trimEnd(), number: index + 1, body: [] });
		} else sections.at(-1)?.body.push(line);
	}
	return sections;
}

/** The text of a section if it is not what was written there. */
function editIn(body: readonly string[]): string | undefined {
	let written: string | undefined;
	const said: string[] = [];
	const facts = body.find((line) => line.trim() !== "");
	for (const line of body) {
		const mark = /^<!-- cwl ([0-9a-f]+) -->\s*$/.exec(line);
		if (mark) written = mark[1];
		else if (line !== facts || !/^_.*_\s*$/.test(line))
			said.push(line.replace(/^\\(?=\\*(?:#|_|<!-- cwl))/, ""));
	}
	const text = tidy(said.join("\n"));
	return hash(text) === written ? undefined : text;
}

function badNotes(line: number, found: string): CwlError {
	return new CwlError(
		"bad-notes",
		`the notes cannot be read, line ${line}: ${found}. Mend or remove the file; nothing was taken from it.`,
	);
}

/** Tells an edit from none. */
function hash(text: string): string {
	return fnv1a(text).toString(16);
}
