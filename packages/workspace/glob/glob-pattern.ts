import { showName } from "#basics";
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
/** The unit is processor time, as of the next one. */
const COMPILE_MS = 300;
const MATCH_MS = 1000;
/** For all paths together: hundreds of thousands of names take less than 1 s, unless they were made for the pattern. */
const MATCH_ALL_MS = 5000;

/**
 * Compiles a glob: `*`, `?`, `**`, `[a-z]`, `{a,b}`, `{1..3}` and `@(a|b)`, with fast-glob's reading of a pattern and
 * micromatch, its matcher. As in a .gitignore file, a pattern without a slash matches at any depth and one that ends
 * in a slash matches all below; `./` or `/` in front ties it to `base`, the absolute directory whose paths are
 * compared. Case counts, names may start with a dot, and a path always matches itself. Parentheses without `|` are
 * plain characters, and a part of the pattern that is the name of a file or directory, such as `[id]`, is that name
 * wherever this reading matches anything.
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
	const compile = (reading: string) => {
		const tasks = fastGlob.generateTasks([reading], { dot: true, cwd: "/", baseNameMatch: !isTied });
		const alternatives = tasks.flatMap((task) => task.positive);
		if (alternatives.length > MAX_ALTERNATIVES) throw tooManyAlternatives(pattern);
		// fast-glob takes `(a*)` with escaped parentheses for a name.
		const places = new Set(tasks.map((task) => (/[*?]/.test(task.base) ? "." : task.base)));
		const expressions = alternatives.map((one) =>
			spanLines(micromatch.makeRe(contentsOnly(one), MATCH_OPTIONS)),
		);
		return { within: places.has(".") ? [] : [...places], expressions };
	};
	const compileBounded = (reading: string) =>
		refuseUnreadable(pattern, () => runBounded(() => compile(reading), COMPILE_MS, costly));
	const general = compileBounded(escapePlainGroups(plain));
	return {
		within: couldHoldName(plain) ? placeAboveNames(plain) : general.within,
		filter: async (paths, signal) => {
			let spentMs = 0;
			const findMatches = (expressions: readonly RegExp[]) => {
				const matches = (path: string) => path === plain || expressions.some((one) => one.test(path));
				return filterInSlices(paths, matches, signal, (step) => {
					if (spentMs > matchAllMs) throw new WorkspaceError("too-costly", costly);
					const before = process.cpuUsage();
					const slice = runBounded(step, MATCH_MS, costly);
					const { user, system } = process.cpuUsage(before);
					spentMs += (user + system) / 1000;
					return slice;
				});
			};
			const literal = escapeNames(plain, paths);
			if (literal !== plain) {
				const named = await findMatches(compileBounded(escapePlainGroups(literal)).expressions);
				if (named.length > 0) return named;
			}
			return findMatches(general.expressions);
		},
	};
}

/** Parentheses in which nothing is to choose: to a shell they are plain characters, to micromatch a group. */
function escapePlainGroups(pattern: string): string {
	return pattern.replace(/(?<![?*+@!\\])\(([^()|]*)\)/g, "\\($1\\)");
}

/** True for a part of a pattern that is either a pattern or a name: `[id]`, `{a,b}`, `@(a)`. */
const couldBeName = (part: string) => /[()[\]{}]/.test(part) && !/[*?\\]/.test(part);

const couldHoldName = (pattern: string) => pattern.split("/").some(couldBeName);

/** The directory above the first part that is no plain name; none when it is the root. */
function placeAboveNames(pattern: string): readonly string[] {
	const parts = pattern.split("/");
	const plain = parts.slice(
		0,
		parts.findIndex((part) => /[()[\]{}*?\\!]/.test(part)),
	);
	return plain.length === 0 ? [] : [plain.join("/")];
}

/** Escapes the parts of a pattern, between slashes, that are names in these paths although they could be patterns. */
function escapeNames(pattern: string, paths: readonly string[]): string {
	const isName = (part: string) =>
		couldBeName(part) && paths.some((path) => path.includes(part) && `/${path}/`.includes(`/${part}/`));
	const parts = pattern.split("/");
	return parts.map((part) => (isName(part) ? part.replace(/[()[\]{}|]/g, "\\$&") : part)).join("/");
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
