import { readCounts } from "./ripgrep-output.ts";
import { type RipgrepCall, runRipgrep } from "./ripgrep-run.ts";

/** Matching lines by path, 0 included, of the text files that ripgrep came upon. */
export type WalkedFiles = ReadonlyMap<string, number>;

export interface RipgrepWalk {
	readonly files: Promise<WalkedFiles>;
	readonly stop: () => void;
}

/**
 * Its own ignore rules are nearly git's, and nothing rests on that: a file that git lists and that was not come upon
 * is searched by name, and one that git does not list is dropped. Files that hold a NUL are left out of the counts.
 */
const FLAGS = ["--count", "--include-zero", "--null", "--no-ignore-dot", "--no-require-git", "--glob=!.git"];

/** ripgrep walks a directory by itself: it can begin before git has listed the files. */
export function startRipgrepWalk(call: Omit<RipgrepCall, "flags" | "paths">): RipgrepWalk {
	const stopped = new AbortController();
	const signal = call.signal ? AbortSignal.any([call.signal, stopped.signal]) : stopped.signal;
	return { files: walk({ ...call, signal }), stop: () => stopped.abort() };
}

/** Whatever fails here fails again, with its reason, for the files that are then searched by name. */
async function walk(call: Omit<RipgrepCall, "flags" | "paths">): Promise<WalkedFiles> {
	try {
		const output = await runRipgrep({ ...call, flags: FLAGS, paths: ["./"], printsPieces: true });
		return output.type === "exit" || output.type === "deadline" ? readCounts(output.stdout) : new Map();
	} catch {
		return new Map();
	}
}
