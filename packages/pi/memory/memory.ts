/**
 * The project memory as its file has it: Markdown in segments, each with its lines as they stand, so that writing the
 * file again changes nothing but what is added and removed.
 */
import { fnv1a } from "#core";
import { nameText, visibleText } from "#core/projection";
import { formatFile } from "./file-names.ts";
import type { Decision, FileStates, Finding } from "./session-findings.ts";

export const MEMORY_VERSION = 1;

interface Entry {
	readonly lines: readonly string[];
	/** When its episode ended, ISO 8601; "" for an entry that a person wrote or edited, which is never removed. */
	readonly at: string;
	readonly text: string;
}

export interface FindingEntry extends Entry {
	readonly type: "finding";
	readonly name: string;
	readonly files: FileStates;
}

export interface NoteEntry extends Entry {
	readonly type: "note";
}

export type Segment =
	| FindingEntry
	| NoteEntry
	/** A line that is no entry, such as a title. */
	| { readonly type: "other"; readonly lines: readonly [string] };

export interface Memory {
	readonly segments: readonly Segment[];
	/** The sessions that were taken up, and the time up to which. */
	readonly sessions: ReadonlyMap<string, string>;
}

export function findingsIn({ segments }: Pick<Memory, "segments">): readonly FindingEntry[] {
	return segments.flatMap((segment) => (segment.type === "finding" ? [segment] : []));
}

export function notesIn({ segments }: Pick<Memory, "segments">): readonly NoteEntry[] {
	return segments.flatMap((segment) => (segment.type === "note" ? [segment] : []));
}

const INTRODUCTION = `# Project memory

What earlier sessions of the agent found out about this repository. cwl writes it from their episodes, without a model.
Edit it like code: your changes, your own entries and your deletions stay.`;

export const DECISIONS = "## Decisions";
export const FINDINGS = "## Findings";

/** A memory without entries. */
export function emptyMemory(): Memory {
	const lines = [...INTRODUCTION.split("\n"), "", DECISIONS, "", FINDINGS, ""];
	return { segments: lines.map((line) => ({ type: "other", lines: [line] })), sessions: new Map() };
}

/** The text of the file; ends with a newline. */
export function formatMemory({ segments, sessions }: Memory): string {
	const record = [...sessions].map(([session, at]) => `${session} ${at}`);
	const body = segments.flatMap(({ lines }) => lines).join("\n");
	const head = `<!-- cwl-memory ${MEMORY_VERSION}: sessions that are in here, each up to a time`;
	return `${body.replace(/\n+$/, "")}\n\n${[head, ...record, "-->"].join("\n")}\n`;
}

export function writeFinding({ name, text, at, files }: Finding): FindingEntry {
	const rows = [...files].map(([file, state]) => formatFile(file, state));
	const list = rows.length > 0 ? [...rows, ""] : [];
	const body = [`### ${nameText(name).replaceAll("<", "\\u003c")}`, "", escapeMarkdown(text), "", ...list];
	return {
		type: "finding",
		name,
		text,
		at,
		files,
		lines: ["", ...body, `<!-- cwl ${at} ${markOf(body)} -->`],
	};
}

export function writeDecision({ text, at }: Decision): NoteEntry {
	const body = `- ${escapeMarkdown(text)}`;
	return { type: "note", text, at, lines: [`${body} <!-- cwl ${at} ${markOf([body])} -->`] };
}

/** Tells an edit from none; blank lines and line ends are no edit. */
export function markOf(lines: readonly string[]): string {
	const said = lines.map((line) => line.trimEnd()).filter((line) => line !== "");
	return fnv1a(said.join("\n")).toString(16);
}

/** A text on one line that stands for itself: no HTML, which would hide what is there, and no heading or list. */
function escapeMarkdown(text: string): string {
	const line = visibleText(text.replace(/\s+/g, " ")).trim();
	return line
		.replaceAll("\\", "\\\\")
		.replaceAll("<", "\\<")
		.replace(/^(?=[#>+*=-])/, "\\");
}

export function unescapeMarkdown(text: string): string {
	return text.replace(/\\([\\<#>+*=-])/g, "$1");
}
