import { isWellFormedText } from "./byte-text.mjs";
import { compareText } from "./file-listing.ts";
import type { SearchJob, SearchOutcome } from "./grep-engine.ts";
import { searchWithRipgrep } from "./grep-ripgrep.ts";
import { findRipgrep } from "./ripgrep-run.ts";
import { startRipgrepWalk } from "./ripgrep-walk.ts";

export type EngineName = "ripgrep" | "javascript";

export interface SearchOptions {
	/** The ripgrep program; default the one on the PATH. `false` searches with JavaScript. */
	readonly ripgrep?: string | false | undefined;
	/** Milliseconds for the search itself; default 10,000 with ripgrep, 5,000 with JavaScript. */
	readonly deadlineMs?: number | undefined;
}

/** What is known of a search before the files are. */
export interface SearchStart extends Pick<SearchJob, "root" | "pattern" | "lines" | "signal"> {
	/** Whether all files below the root are wanted, so that ripgrep may begin before they are listed. */
	readonly isWhole: boolean;
}

export interface StartedSearch {
	readonly engine: EngineName;
	/** @throws WorkspaceError `aborted`, or `failed` when the engine breaks down */
	readonly finish: (paths: readonly string[]) => Promise<SearchOutcome>;
	/** For a caller that will not finish. */
	readonly stop: () => void;
}

const JAVASCRIPT_DEADLINE_MS = 5000;
const RIPGREP_DEADLINE_MS = 10_000;

/** ripgrep's default engine where it is installed, JavaScript's on a thread elsewhere: both give the same answer. */
export function startSearch(start: SearchStart, options: SearchOptions): StartedSearch {
	const { ripgrep, deadlineMs } = options;
	const inThread = async (paths: readonly string[]) => {
		const { searchWithJavaScript } = await import("./grep-javascript.ts");
		return searchWithJavaScript({ ...start, paths, deadlineMs: deadlineMs ?? JAVASCRIPT_DEADLINE_MS });
	};
	const program = ripgrep === false ? undefined : (ripgrep ?? findRipgrep());
	if (program === undefined) return { engine: "javascript", finish: inThread, stop: () => undefined };
	const allowed = deadlineMs ?? RIPGREP_DEADLINE_MS;
	const begun = performance.now();
	// A walk that is stuck leaves time to search by name.
	const walk = start.isWhole
		? startRipgrepWalk({ program, ...start, giveUpAt: begun + allowed / 2 })
		: undefined;
	return {
		engine: "ripgrep",
		finish: async (paths) => {
			// Node cannot put a name that is not UTF-8 on a command line.
			const odd = paths.filter((path) => !isWellFormedText(path));
			const plain = odd.length === 0 ? paths : paths.filter(isWellFormedText);
			const walked = (await walk?.files) ?? new Map();
			const job = { ...start, paths: plain };
			const outcome = await searchWithRipgrep({
				program,
				job,
				walked,
				giveUpAt: (walk ? begun : performance.now()) + allowed,
			});
			return odd.length === 0 ? outcome : merge(outcome, await inThread(odd));
		},
		stop: () => walk?.stop(),
	};
}

function merge(left: SearchOutcome, right: SearchOutcome): SearchOutcome {
	return {
		matches: [...left.matches, ...right.matches].toSorted((one, two) => compareText(one.path, two.path)),
		skipped: {
			large: left.skipped.large + right.skipped.large,
			unreadable: left.skipped.unreadable + right.skipped.unreadable,
			unsearched: left.skipped.unsearched + right.skipped.unsearched,
		},
	};
}
