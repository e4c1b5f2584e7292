/**
 * A walk of our own instead of fast-glob's: fast-glob cannot leave out directories by the ignore files that it meets on
 * the way, and takes four to six times as long with a file system adapter that does.
 */
import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isRealDirectory, readSmallFile } from "../files/regular-file.ts";
import { runBounded } from "../process/run-bounded.ts";
import { throwIfAborted, WorkspaceError } from "../workspace-error.ts";

export interface WalkOptions {
	/** Directories below the root, with `/`, to which the listing is confined; none means all of it. */
	readonly within: readonly string[];
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
}

export interface Walk {
	/** Files and symbolic links, relative to the root. */
	readonly files: readonly string[];
	readonly unreadableDirectories: number;
}

interface Entry {
	readonly name: string;
	readonly type: "directory" | "file" | "other";
}

/** A directory that is still to be read, or the rest of one. */
interface Pending {
	/** "" or "src/". */
	readonly directory: string;
	/** The rules above the directory; for the rest of one, those that hold in it. */
	readonly rules: IgnoreRules | undefined;
	readonly rest?: readonly Entry[];
}

/** The walk of one slice of time. */
interface WalkState {
	readonly root: string;
	readonly pending: Pending[];
	readonly files: string[];
	unreadableDirectories: number;
}

/** Other work of the event loop runs after this many milliseconds, so that the terminal stays responsive. */
const SLICE_MS = 12;
/** Processor time for one path: a slice ends after the path that it has begun. 20,000 rules take half of it to compile. */
const STUCK_MS = 1000;

/**
 * Lists the files below a directory by the `.gitignore` files on the way. Ignored directories are not entered,
 * symbolic links not followed, `.git` is left out. A repository below the root is walked by its own rules.
 *
 * @throws WorkspaceError `aborted`, or `too-costly` past the deadline
 */
export async function walkTree(root: string, options: WalkOptions): Promise<Walk> {
	({ default: ignore } = await import("ignore"));
	const starts = options.within.length === 0 ? [""] : options.within;
	const findStarts = () => starts.flatMap((start) => findStart(root, start));
	let pending: readonly Pending[] = runBounded(findStarts, STUCK_MS, STUCK);
	const files: string[] = [];
	let unreadableDirectories = 0;
	while (pending.length > 0) {
		throwIfAborted(options.signal);
		if (performance.now() > options.giveUpAt) throw new WorkspaceError("too-costly", TOO_MANY);
		const slice = runBounded(() => walkSlice(root, pending), STUCK_MS, STUCK);
		for (const file of slice.files) files.push(file);
		unreadableDirectories += slice.unreadableDirectories;
		pending = slice.pending;
		await nextTurn();
	}
	return { files, unreadableDirectories };
}

const TOO_MANY = "Listing took too long. Name a smaller path.";
const STUCK = "A .gitignore file holds a rule that takes too long to match. Name a path that avoids it.";

/** The directory where the walk starts. The rules on the way down to it hold there too, and can exclude it. */
function findStart(root: string, start: string): readonly Pending[] {
	let rules: IgnoreRules | undefined;
	let directory = "";
	for (const segment of start.split("/").filter((part) => part !== "")) {
		rules = readRules(`${root}/${directory}.gitignore`, directory, rules);
		directory += `${segment}/`;
		if (
			segment === ".git" ||
			!isRealDirectory(`${root}/${directory.slice(0, -1)}`) ||
			isIgnored(rules, directory)
		)
			return [];
		rules = enterDirectory(rules, directory);
	}
	return [{ directory, rules }];
}

/** Walks for one slice of time. Its arguments stay as they are, because a busy machine may make it run again. */
function walkSlice(root: string, pending: readonly Pending[]): WalkState {
	const state: WalkState = { root, pending: [...pending], files: [], unreadableDirectories: 0 };
	const until = performance.now() + SLICE_MS;
	for (let next = state.pending.pop(); next !== undefined; next = state.pending.pop()) {
		walkDirectory(state, next, until);
		if (performance.now() > until) break;
	}
	return state;
}

function walkDirectory(state: WalkState, { directory, rules: above, rest }: Pending, until: number): void {
	const entries = rest ?? readEntries(state.root, directory);
	if (entries === undefined) {
		state.unreadableDirectories += 1;
		return;
	}
	const rules = rest ? above : findRules(state.root, directory, entries, above);
	for (const [index, { name, type }] of entries.entries()) {
		if (index > 0 && performance.now() > until) {
			state.pending.push({ directory, rules, rest: entries.slice(index) });
			return;
		}
		if (name === ".git" || type === "other") continue;
		const path = directory + name;
		if (type === "file") {
			if (!isIgnored(rules, path)) state.files.push(path);
		} else if (!isIgnored(rules, `${path}/`)) {
			state.pending.push({ directory: `${path}/`, rules: enterDirectory(rules, `${path}/`) });
		}
	}
}

function findRules(
	root: string,
	directory: string,
	entries: readonly Entry[],
	above: IgnoreRules | undefined,
): IgnoreRules | undefined {
	const holds = (wanted: string) => entries.some(({ name }) => name === wanted);
	const path = `${root}/${directory}`;
	const rules = holds(".git") ? readRules(`${path}.git/info/exclude`, directory, undefined) : above;
	return holds(".gitignore") ? readRules(`${path}.gitignore`, directory, rules) : rules;
}

/** Undefined when the directory cannot be read. */
function readEntries(root: string, directory: string): readonly Entry[] | undefined {
	try {
		return readdirSync(`${root}/${directory}`, { withFileTypes: true }).map((entry) => {
			const isFile = entry.isFile() || entry.isSymbolicLink();
			const type = entry.isDirectory() ? "directory" : isFile ? "file" : "other";
			return { name: entry.name, type };
		});
	} catch {
		return undefined;
	}
}

type Matcher = import("ignore").Ignore;
/** Loaded at the first walk. */
let ignore: typeof import("ignore") | undefined;

/** The rules of one directory's ignore file, and those of the directories above it. */
export interface IgnoreRules {
	/** The directory of the rules, relative to the root of the walk: "" or "src/". */
	readonly base: string;
	readonly text: string;
	readonly matcher: Matcher;
	readonly above: IgnoreRules | undefined;
}

const MAX_RULE_FILE_BYTES = 1_000_000;

/** git's default for `core.ignorecase` when it creates a repository on the platform's usual file system. */
const IGNORE_CASE = process.platform === "win32" || process.platform === "darwin";

function makeRules(base: string, text: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
	return ignore && { base, text, matcher: ignore({ ignorecase: IGNORE_CASE }).add(text), above };
}

/**
 * Returns the rules that hold in a directory with the given ignore file. Like git, it follows no link to one; a file
 * that is not regular, or too large, adds no rules.
 */
function readRules(file: string, base: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
	const bytes = readSmallFile(file, MAX_RULE_FILE_BYTES);
	if (bytes === undefined) return above;
	return makeRules(base, bytes.toString("utf8").replace(/^\uFEFF/, ""), above);
}

/**
 * Returns true if git would leave the path out: the deepest file with a matching rule decides (gitignore(5)). The
 * caller has made sure that no directory above the path is ignored. Directories end in `/`.
 */
function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
	for (let level = rules; level !== undefined; level = level.above) {
		const verdict = level.matcher.test(path.slice(level.base.length));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}

/**
 * Returns the rules for the inside of a directory that is not ignored. The package `ignore` regards a path as ignored
 * when a rule of the same file names its parent; where a deeper file includes the parent again, the outer rules get a
 * rule that says so.
 */
function enterDirectory(rules: IgnoreRules | undefined, directory: string): IgnoreRules | undefined {
	if (rules === undefined) return undefined;
	const above = enterDirectory(rules.above, directory);
	const inside = directory.slice(rules.base.length);
	if (!rules.matcher.test(inside).ignored) return above === rules.above ? rules : { ...rules, above };
	return makeRules(rules.base, `${rules.text}\n!/${escapeRule(inside)}`, above);
}

function escapeRule(path: string): string {
	return path.replace(/[\\*?[\]!# ]/g, "\\$&");
}
