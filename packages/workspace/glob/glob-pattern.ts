import { showName } from "#core/transcript";
import { filterInSlices } from "../files/regular-file.ts";
import { runBounded } from "../process/run-bounded.ts";
import { WorkspaceError } from "../workspace-error.ts";

export interface GlobPattern {
	/** Directories that hold every match, or none when a match may be anywhere. */
	readonly within: readonly string[];
	/** Returns the paths that match, in the given order. @throws WorkspaceError `too-costly` after 1 s of processor time on one path or 5 s on all, `aborted` */
	readonly filter: (paths: readonly string[], signal?: AbortSignal) => Promise<readonly string[]>;
}

const MAX_PATTERN_CHARS = 1000;
const MAX_ALTERNATIVES = 1000;
/** Of processor time, as the next one. */
const COMPILE_MS = 300;
const MATCH_MS = 1000;
/** For all paths together: hundreds of thousands of names take less than 1 s, unless they were made for the pattern. */
const MATCH_ALL_MS = 5000;

/**
 * Compiles a glob: `*`, `?`, `**`, `[a-z]`, `{a,b}`, `{1..3}` and `@(a|b)`, with fast-glob's reading of a pattern and
 * micromatch, its matcher. As in a .gitignore file, a pattern without a slash matches at any depth and one that ends
 * in a slash matches all below; `./` or `/` in front ties it to `base`, the absolute directory whose paths are
 * compared. Case counts, names may start with a dot, and a path always matches itself.
 *
 * @throws WorkspaceError `bad-pattern`, or `too-costly`
 */
export async function compileGlob(
	pattern: string,
	base: string,
	matchAllMs = MATCH_ALL_MS,
): Promise<GlobPattern> {
	checkPattern(pattern);
	if (countChoices(pattern) > MAX_ALTERNATIVES) throw tooManyAlternatives(pattern);
	const { plain, isTied } = makeRelative(pattern, base);
	const costly = `The pattern ${showName(pattern)} takes too long to match. Use fewer wildcards.`;
	const { default: fastGlob } = await import("fast-glob");
	const { default: micromatch } = await import("micromatch");
	const compile = () => {
		const tasks = fastGlob.generateTasks([plain], { dot: true, cwd: "/", baseNameMatch: !isTied });
		const alternatives = tasks.flatMap((task) => task.positive);
		if (alternatives.length > MAX_ALTERNATIVES) throw tooManyAlternatives(pattern);
		const places = new Set(tasks.map((task) => task.base));
		const expressions = alternatives.map((one) =>
			spanLines(micromatch.makeRe(contentsOnly(one), MATCH_OPTIONS)),
		);
		return { within: places.has(".") ? [] : [...places], expressions };
	};
	const { within, expressions } = refuseUnreadable(pattern, () => runBounded(compile, COMPILE_MS, costly));
	const matches = (path: string) => path === plain || expressions.some((one) => one.test(path));
	return {
		within,
		filter: (paths, signal) => {
			let spentMs = 0;
			return filterInSlices(paths, matches, signal, (step) => {
				if (spentMs > matchAllMs) throw new WorkspaceError("too-costly", costly);
				const before = process.cpuUsage();
				const slice = runBounded(step, MATCH_MS, costly);
				const { user, system } = process.cpuUsage(before);
				spentMs += (user + system) / 1000;
				return slice;
			});
		},
	};
}

const MATCH_OPTIONS = { dot: true, posix: true, strictSlashes: false };

function checkPattern(pattern: string): void {
	const refuse = (problem: string) => {
		throw new WorkspaceError("bad-pattern", `The glob ${showName(pattern.slice(0, 200))} ${problem}`);
	};
	if (pattern.trim() === "") refuse("is empty. Use ** for every file.");
	if (pattern.length > MAX_PATTERN_CHARS) refuse(`is longer than ${MAX_PATTERN_CHARS} characters.`);
	if (pattern.includes("\0")) refuse("holds a NUL character.");
	if (/^!(?!\()/.test(pattern)) refuse("starts with !. Say which files to find, not which to leave out.");
	if (pattern.split("/").includes("..")) refuse("holds `..`. Put the directory into `path`.");
}

/** The combinations of the innermost braces with commas: many of them take too long even to expand. */
function countChoices(pattern: string): number {
	const groups = pattern.matchAll(/\{([^{}]*)\}/g);
	return [...groups].reduce((product, [, choices = ""]) => product * choices.split(",").length, 1);
}

/** The libraries refuse a range such as `{1..100000000}` with an error of theirs, and fail at some patterns that are none. */
function refuseUnreadable<T>(pattern: string, compile: () => T): T {
	try {
		return compile();
	} catch (error) {
		if (error instanceof WorkspaceError) throw error;
		if (error instanceof RangeError || error instanceof SyntaxError) throw tooManyAlternatives(pattern);
		const problem = `The glob ${showName(pattern.slice(0, 200))} cannot be read.`;
		const advice = "Close each brace and bracket, or put \\ in front of it.";
		throw new WorkspaceError("bad-pattern", `${problem} ${advice}`);
	}
}

function tooManyAlternatives(pattern: string): WorkspaceError {
	const shown = showName(pattern.slice(0, 200));
	const problem = `The braces of ${shown} give more than ${MAX_ALTERNATIVES} patterns.`;
	return new WorkspaceError("bad-pattern", `${problem} Use a wildcard in their place.`);
}

/** The pattern without what ties it to the base; one that is not tied may match at any depth. */
function makeRelative(pattern: string, base: string) {
	const root = base.endsWith("/") ? base : `${base}/`;
	const below = pattern.startsWith(root) ? `/${pattern.slice(root.length)}` : pattern;
	if (below === pattern && /^\/[^*?[{(]+(?:\/|$)/.test(pattern)) {
		const problem = `The glob ${showName(pattern)} is absolute and not below ${showName(base)}.`;
		throw new WorkspaceError("bad-pattern", `${problem} Put the directory into \`path\`.`);
	}
	const plain = below.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "/**");
	return { plain: plain === "" ? "**" : plain, isTied: /^\.?\//.test(below) };
}

/** The library lets `a/**` match `a` itself; in git, and in a shell, it means the contents of `a`. */
function contentsOnly(alternative: string): string {
	return alternative.replace(/(?:\/\*\*)+$/, "/**/*");
}

/** A name may hold a line break, which `.` does not match by itself. */
function spanLines(expression: RegExp): RegExp {
	return new RegExp(expression.source, `${expression.flags}s`);
}
