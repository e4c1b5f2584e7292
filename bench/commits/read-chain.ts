/** A chain of commits of a repository, as a worker can make them again. */
import { resolve } from "node:path";
import { CwlError, messageOf } from "#pi";
import { type Commit, type CommitFile, type Hunk, git as runGit } from "#testing/worker";

export interface ChainedCommit extends Commit {
	readonly hash: string;
	/** The message without its subject. */
	readonly body: string;
	/** The state that the worker finds: the files that it makes itself are as before the commit, all others as after it. */
	readonly parent: string;
}

export type Chain = Awaited<ReturnType<typeof readChain>>;

/** More than these are a sweep over the tree, which no agent does file by file. */
const MAX_FILES = 12;
/** The most that one read of pi shows, in bytes and lines. */
const MAX_BYTES = 50 * 1024;
const MAX_LINES = 2_000;
/** Commits that are looked at for each that the worker makes. */
const CANDIDATES = 4;

/** The last `wanted` commits before `end` along first parents, which the worker can make. @throws CwlError `bad-repository`, or `short-history` */
export async function readChain(clone: string, end: string, wanted: number) {
	// A bare repository, and a folder somewhere inside a work tree, are both fine.
	const repository = (await git(resolve(clone), "rev-parse", "--absolute-git-dir")).trim();
	const log = ["rev-list", "--first-parent", "--no-merges", `--max-count=${CANDIDATES * wanted}`, end, "--"];
	const hashes = (await git(repository, ...log)).split("\n").filter((hash) => hash !== "");
	const found: Omit<ChainedCommit, "number">[] = [];
	for (const hash of hashes) {
		const commit = await readCommit(repository, hash);
		if (!commit) continue;
		found.push(commit);
		if (found.length < wanted) continue;
		return {
			/** The folder of git's own files. */
			repository,
			/** Oldest first. */
			commits: found.toReversed().map((each, at): ChainedCommit => ({ ...each, number: at + 1 })),
		};
	}
	throw new CwlError(
		"short-history",
		`${repository}: ${found.length} of ${hashes.length} commits before ${end} can be made again, and ${wanted} are asked for: use --commits ${found.length}.`,
	);
}

/** Undefined for a commit without a parent, and for one that changes nothing that the worker can write. */
async function readCommit(
	repository: string,
	hash: string,
): Promise<Omit<ChainedCommit, "number"> | undefined> {
	const log = await git(repository, "log", "-1", "--format=%P%n%s%n%b", hash);
	const [parent, subject = "", ...rest] = log.split("\n");
	if (!parent || parent.includes(" ")) return undefined;
	const raw = await git(repository, "diff-tree", "-r", "--no-renames", "--name-status", "-z", parent, hash);
	const named = [...raw.matchAll(/([^\0]*)\0([^\0]*)\0/g)];
	if (named.length > MAX_FILES) return undefined;
	const files: CommitFile[] = [];
	for (const [, status, path = ""] of named) {
		const file = await readChange(repository, { parent, hash }, status, path);
		if (file) files.push(file);
	}
	return files.length > 0 ? { hash, parent, subject, body: rest.join("\n").trim(), files } : undefined;
}

/** `status` is `A`, `D`, `M` or another letter of git. */
async function readChange(
	repository: string,
	{ parent, hash }: Pick<ChainedCommit, "parent" | "hash">,
	status: string | undefined,
	path: string,
): Promise<CommitFile | undefined> {
	if (status === "D") return { type: "removed", path };
	if (status !== "A" && status !== "M") return undefined;
	const text = await git(repository, "show", `${hash}:${path}`);
	if (!isPlain(text)) return undefined;
	if (status === "A") return { type: "added", path, text };
	const before = await git(repository, "show", `${parent}:${path}`);
	if (!isPlain(before)) return undefined;
	const diff = await git(repository, "diff", "--unified=0", "--no-ext-diff", parent, hash, "--", path);
	const hunks = readHunks(diff, before, text);
	return hunks.length > 0 ? { type: "changed", path, text, hunks } : undefined;
}

/** Text that a read shows whole and an edit gives back byte by byte. */
function isPlain(text: string): boolean {
	const isSmall = Buffer.byteLength(text) < MAX_BYTES && text.split("\n").length < MAX_LINES;
	return isSmall && text.endsWith("\n") && !/[\r\0\uFFFD\uFEFF]/.test(text);
}

/** The hunks of `git diff --unified=0`. Lines that are only added come with the line before them, or with the first one. */
export function readHunks(diff: string, before: string, after: string): readonly Hunk[] {
	const old = before.split("\n");
	const next = after.split("\n");
	return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => {
		const [from, removed = "1", to, count = "1"] = match.slice(1);
		const added = count === "0" ? [] : next.slice(Number(to) - 1, Number(to) - 1 + Number(count));
		const start = Math.max(0, Number(from) - 1);
		const end = start + Math.max(1, Number(removed)) - 1;
		const replaced = old.slice(start, end + 1);
		const kept = removed === "0" ? replaced : [];
		return { start, end, lines: from === "0" ? [...added, ...kept] : [...kept, ...added], before: replaced };
	});
}

/** The output of git. @throws CwlError `bad-repository` with what git says */
export function git(directory: string, ...args: readonly string[]): Promise<string> {
	return runGit(directory, ...args).catch((error: unknown) => {
		const said = messageOf(error).slice(0, 300);
		throw new CwlError("bad-repository", `${directory}: git ${args[0] ?? ""} failed: ${said}`);
	});
}
