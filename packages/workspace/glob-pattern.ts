import { setImmediate as nextTurn } from "node:timers/promises";
import { runBounded } from "./bounded-run.ts";
import { showName } from "./shown-name.ts";
import { throwIfAborted, WorkspaceError } from "./workspace-error.ts";

export interface GlobPattern {
	/** Directories in which every match lies, or none when it may lie anywhere. */
	readonly within: readonly string[];
	/** The paths that match, in the given order. @throws WorkspaceError `too-costly` after 1 s on one path, `aborted` */
	readonly filter: (paths: readonly string[], signal?: AbortSignal) => Promise<readonly string[]>;
}

const MAX_PATTERN_CHARS = 1000;
const MAX_ALTERNATIVES = 1000;
const COMPILE_MS = 300;
const MATCH_MS = 1000;
/** The event loop gets its turn this often, in milliseconds. */
const SLICE_MS = 12;
/** Paths between two looks at the clock. */
const BATCH = 100;

/**
 * Compiles a glob with fast-glob's own pattern engine: `*`, `?`, `**`, `[a-z]`, `{a,b}`, `{1..3}` and `@(a|b)`.
 * As in a .gitignore file, a pattern without a slash matches at any depth and one that ends in a slash matches all
 * below; `./` or `/` in front ties it to `base`, the absolute directory whose paths are compared. Letters are compared
 * with case, names may start with a dot, and a path always matches itself.
 *
 * @throws WorkspaceError `bad-pattern`, or `too-costly`
 */
export async function compileGlob(pattern: string, base: string): Promise<GlobPattern> {
	checkPattern(pattern);
	const { default: fastGlob } = await import("fast-glob");
	const engine = await import("fast-glob/out/utils/pattern.js");
	const costly = `The pattern ${showName(pattern)} takes too long to match. Use fewer wildcards.`;
	const { plain, anywhere } = makeRelative(pattern, base);
	const { bases, expressions } = runBounded(
		() => {
			const expanded = engine.expandPatternsWithBraceExpansion([plain]).map(anywhere);
			if (expanded.length > MAX_ALTERNATIVES) throw tooManyAlternatives(pattern, expanded.length);
			// The engine lets `a/**` match `a` itself; in git, and in a shell, it means what lies inside.
			const inside = expanded.map((one) => one.replace(/(?:\/\*\*)+$/, "/**/*"));
			const compiled = engine.convertPatternsToRe(inside, { dot: true, posix: true, strictSlashes: false });
			const tasks = fastGlob.generateTasks(expanded, { dot: true, cwd: "/" });
			return { bases: new Set(tasks.map((task) => task.base)), expressions: compiled.map(spanLines) };
		},
		COMPILE_MS,
		costly,
	);
	const matches = (path: string) => path === plain || expressions.some((one) => one.test(path));
	return {
		within: bases.has(".") ? [] : [...bases],
		filter: async (paths, signal) => {
			const matching: string[] = [];
			for (let at = 0; at < paths.length; ) {
				at = runBounded(() => filterSlice(paths, at, matches, matching), MATCH_MS, costly);
				if (at < paths.length) await nextTurn();
				throwIfAborted(signal);
			}
			return matching;
		},
	};
}

/** Goes on from `from` until it is time for others; answers where it stopped. */
function filterSlice(
	paths: readonly string[],
	from: number,
	matches: (path: string) => boolean,
	matching: string[],
): number {
	const until = performance.now() + SLICE_MS;
	let at = from;
	while (at < paths.length && performance.now() < until) {
		for (const path of paths.slice(at, at + BATCH)) if (matches(path)) matching.push(path);
		at += BATCH;
	}
	return at;
}

function checkPattern(pattern: string): void {
	const refuse = (problem: string) => {
		throw new WorkspaceError("bad-pattern", `The glob ${showName(pattern.slice(0, 200))} ${problem}`);
	};
	if (pattern.trim() === "") refuse("is empty. Use ** for every file.");
	if (pattern.length > MAX_PATTERN_CHARS) refuse(`is longer than ${MAX_PATTERN_CHARS} characters.`);
	if (pattern.includes("\0")) refuse("holds a NUL character.");
	if (/^!(?!\()/.test(pattern)) refuse("starts with !. Say what to find, not what to leave out.");
	if (pattern.split("/").includes("..")) refuse("holds `..`. Put the directory into `path`.");
}

function tooManyAlternatives(pattern: string, found: number): WorkspaceError {
	const shown = showName(pattern.slice(0, 200));
	return new WorkspaceError("bad-pattern", `The braces of ${shown} give ${found} patterns; at most 1000.`);
}

interface RelativePattern {
	readonly plain: string;
	/** Lets an alternative match at any depth, unless something ties it to the base. */
	readonly anywhere: (alternative: string) => string;
}

function makeRelative(pattern: string, base: string): RelativePattern {
	const root = base.endsWith("/") ? base : `${base}/`;
	const below = pattern.startsWith(root) ? `/${pattern.slice(root.length)}` : pattern;
	if (below === pattern && /^\/[^*?[{(]+(?:\/|$)/.test(pattern)) {
		const problem = `The glob ${showName(pattern)} is absolute and not below ${showName(base)}.`;
		throw new WorkspaceError("bad-pattern", `${problem} Put the directory into \`path\`.`);
	}
	const isTied = /^\.?\//.test(below);
	const plain = below.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "/**");
	const anywhere = (alternative: string) =>
		isTied || alternative.includes("/") ? alternative : `**/${alternative}`;
	return { plain: plain === "" ? "**" : plain, anywhere };
}

/** A name may hold a line break, which `.` does not match by itself. */
function spanLines(expression: RegExp): RegExp {
	return new RegExp(expression.source, `${expression.flags}s`);
}
