import type { LinePattern } from "./regex-dialect.ts";

/** What both engines are given, and what both give back. */
export interface SearchJob {
	/** Absolute. */
	readonly root: string;
	/** Relative to the root, in the order in which matches are wanted. What is no regular file is passed over. */
	readonly paths: readonly string[];
	readonly pattern: LinePattern;
	/** Undefined when counts are enough. */
	readonly lines: { readonly limit: number; readonly context: number } | undefined;
	readonly signal?: AbortSignal | undefined;
}

export interface GrepLine {
	readonly type: "match" | "context";
	/** From 1. */
	readonly number: number;
	readonly text: string;
}

export interface FileMatches {
	readonly path: string;
	/** Lines that match. */
	readonly count: number;
	/** Lines of the first matches of the whole search; empty for later files. */
	readonly lines: readonly GrepLine[];
}

export interface SearchOutcome {
	/** In the order of the job's paths. */
	readonly matches: readonly FileMatches[];
	readonly skipped: SkippedFiles;
}

/** How many files were left out, and why. */
export interface SkippedFiles {
	/** Since they hold more than MAX_FILE_BYTES. */
	readonly large: number;
	/** Since they could not be opened, or were too much for the engine. */
	readonly unreadable: number;
	/** Since time was up. */
	readonly unsearched: number;
}

export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The first `keep` matches with `context` lines around each: where the cut falls must not depend on the engine. */
export function keepMatches(lines: readonly GrepLine[], keep: number, context: number): readonly GrepLine[] {
	const matches = lines.filter((line) => line.type === "match");
	const last = matches[keep - 1]?.number;
	const next = matches[keep]?.number ?? Number.POSITIVE_INFINITY;
	if (last === undefined) return keep > 0 ? lines : [];
	return lines.filter((line) => line.number < next && line.number <= last + context);
}
