import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SimpleGit } from "simple-git";
import {
	createFilterOverrides,
	createGitEnvironment,
	GIT_VARIABLE_NAMES,
	SAFE_CONFIG,
} from "./git-safety.ts";
import { type Changes, readPorcelain } from "./status-porcelain.ts";

export type GitOperation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

export interface RepositoryStatus extends Changes {
	readonly type: "repository";
	/** What is under way and unfinished. */
	readonly operation: GitOperation | undefined;
	/** Set for an earlier answer: git is still at it, or did not answer even by the last deadline. */
	readonly stale?: "pending" | "unanswered";
}

export type GitStatus =
	| RepositoryStatus
	/** No repository here. */
	| { readonly type: "outside" }
	/** A repository without files. */
	| { readonly type: "bare" }
	| {
			readonly type: "unavailable";
			readonly reason: "no-git" | "deadline" | "unanswered" | "cancelled" | "unsafe" | "failed";
			/** What git said, at most 300 characters and not escaped. */
			readonly detail: string;
	  };

export interface StatusOptions {
	/** Milliseconds after which git is stopped and `unavailable` is the answer; default 150. */
	readonly deadlineMs?: number;
	readonly signal?: AbortSignal | undefined;
}

const STATUS_ARGS = [
	"--no-optional-locks",
	"status",
	"--porcelain=v2",
	"--branch",
	"-z",
	"--untracked-files=normal",
	// A submodule's own config is not covered by our switches, so git must not look inside.
	"--ignore-submodules=dirty",
];
const DEFAULT_DEADLINE_MS = 150;
const MAX_DETAIL_CHARS = 300;

/** The state of the work tree at `cwd`, by its deadline. It never throws, takes no lock, and runs no program that the repository names. */
export async function readGitStatus(cwd: string, options: StatusOptions = {}): Promise<GitStatus> {
	const stop = new AbortController();
	const onAbort = () => stop.abort();
	if (options.signal?.aborted) return unavailable("cancelled", "");
	options.signal?.addEventListener("abort", onAbort, { once: true });
	const timer = setTimeout(onAbort, options.deadlineMs ?? DEFAULT_DEADLINE_MS);
	try {
		return await Promise.race([readStatus(cwd, stop.signal), whenStopped(stop.signal, options.signal)]);
	} catch (error) {
		return describeFailure(error);
	} finally {
		clearTimeout(timer);
		options.signal?.removeEventListener("abort", onAbort);
	}
}

/** git is told to stop as well, but one that hangs may not listen. */
function whenStopped(stopped: AbortSignal, cancelled: AbortSignal | undefined): Promise<GitStatus> {
	return new Promise((resolve) => {
		stopped.addEventListener(
			"abort",
			() => resolve(unavailable(cancelled?.aborted ? "cancelled" : "deadline", "")),
			{ once: true },
		);
	});
}

async function readStatus(cwd: string, signal: AbortSignal): Promise<GitStatus> {
	const { simpleGit } = await import("simple-git");
	const open = (config: readonly string[]) =>
		simpleGit({
			baseDir: cwd,
			abort: signal,
			config: [...config],
			allowEnvironment: [...GIT_VARIABLE_NAMES],
			// simple-git guards against settings that run programs; ours only switch such programs off.
			unsafe: {
				allowUnsafeAskPass: true,
				allowUnsafeDiffExternal: true,
				allowUnsafeFilter: true,
				allowUnsafeFsMonitor: true,
				allowUnsafeHooksPath: true,
				allowUnsafePager: true,
				allowUnsafeProtocolOverride: true,
				allowUnsafeSshCommand: true,
			},
		}).env(createGitEnvironment());
	const git = open(SAFE_CONFIG);
	const [place, names] = await Promise.all([locate(git), listConfigNames(git)]);
	if (typeof place !== "string") return place;
	const overrides = createFilterOverrides(names);
	if (overrides === undefined) return unavailable("unsafe", "a filter driver cannot be switched off");
	const output = await open([...SAFE_CONFIG, ...overrides]).raw(STATUS_ARGS);
	return { type: "repository", ...readPorcelain(output), operation: findOperation(place) };
}

/** The directory of git's own files, or why there is no status. */
async function locate(git: SimpleGit): Promise<string | GitStatus> {
	try {
		const output = await git.raw([
			"rev-parse",
			"--is-inside-work-tree",
			"--is-bare-repository",
			"--absolute-git-dir",
		]);
		const [inside, bare, ...directory] = output.replace(/\n$/, "").split("\n");
		if (inside === "true") return directory.join("\n");
		return bare === "true" ? { type: "bare" } : { type: "outside" };
	} catch (error) {
		if (/not a git repository/i.test(String(error))) return { type: "outside" };
		return describeFailure(error);
	}
}

/** A config that cannot be read fails in `locate` as well, with the better reason. */
async function listConfigNames(git: SimpleGit): Promise<string> {
	return git.raw(["config", "--list", "--name-only", "-z"]);
}

const OPERATION_FILES: readonly (readonly [string, GitOperation])[] = [
	["rebase-merge", "rebase"],
	["rebase-apply", "rebase"],
	["MERGE_HEAD", "merge"],
	["CHERRY_PICK_HEAD", "cherry-pick"],
	["REVERT_HEAD", "revert"],
	["BISECT_LOG", "bisect"],
];

function findOperation(gitDirectory: string): GitOperation | undefined {
	return OPERATION_FILES.find(([file]) => existsSync(join(gitDirectory, file)))?.[1];
}

function describeFailure(error: unknown): GitStatus {
	const message = error instanceof Error ? error.message : String(error);
	if (/spawn git ENOENT/.test(message)) return unavailable("no-git", "git is not installed");
	return unavailable("failed", message.trim().slice(0, MAX_DETAIL_CHARS));
}

function unavailable(
	reason: Extract<GitStatus, { type: "unavailable" }>["reason"],
	detail: string,
): GitStatus {
	return { type: "unavailable", reason, detail };
}
