/** The state of a work tree, read with git status. `extensions/cwl/git-status.ts` says when it is sent to the model. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CAN_LIMIT_MEMORY, findProgram } from "../process/child-output.ts";
import {
	createFilterOverrides,
	createGitEnvironment,
	GIT_VARIABLE_NAMES,
	SAFE_CONFIG,
} from "./git-safety.ts";
import { findRepository, findUnsafeFile } from "./repository.ts";

export type GitOperation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

export interface RepositoryStatus extends Changes {
	readonly type: "repository";
	/** The unfinished operation of the work tree. */
	readonly operation: GitOperation | undefined;
	/** Submodules: what is changed inside of them is in no list here. */
	readonly submodules: number;
	/** Set for an earlier answer: git is still running, or did not answer before it was ended. */
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
/** The mode of a submodule in the index, at the start of a record of `git ls-files --stage`. */
const GITLINK_MODE = "160000 ";

/**
 * Reads the state of the work tree at `cwd` within a deadline. It never throws, takes no lock, starts no program and
 * opens no device that the repository names.
 */
export async function readGitStatus(cwd: string, options: StatusOptions = {}): Promise<GitStatus> {
	const { signal, deadlineMs = DEFAULT_DEADLINE_MS } = options;
	if (signal?.aborted) return unavailable("cancelled");
	// Node 20 may collect a signal that AbortSignal.any made of AbortSignal.timeout, which then never fires: the timer holds this one.
	const stop = new AbortController();
	const abort = () => stop.abort();
	const timer = setTimeout(abort, deadlineMs).unref();
	signal?.addEventListener("abort", abort, { once: true });
	// git is ended as well, but its end is not waited for.
	const stopped = new Promise<GitStatus>((resolve) => {
		const end = () => resolve(unavailable(signal?.aborted ? "cancelled" : "deadline"));
		stop.signal.addEventListener("abort", end, { once: true });
	});
	const status = readStatus(cwd, stop.signal).catch(() => unavailable("failed"));
	return await Promise.race([status, stopped]).finally(() => {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	});
}

async function readStatus(cwd: string, signal: AbortSignal): Promise<GitStatus> {
	const program = findProgram("git");
	if (program === undefined) return unavailable("no-git");
	if (!existsSync(cwd)) return unavailable("failed");
	const repository = findRepository(cwd);
	if (repository === undefined) return { type: "outside" };
	if ((await findUnsafeFile(repository, signal)) !== undefined) return unavailable("unsafe");
	const { CheckRepoActions, simpleGit } = await import("simple-git");
	const open = (config: readonly string[]) =>
		simpleGit({
			...OPTIONS,
			...limitedBinary(program),
			baseDir: cwd,
			abort: signal,
			config: [...config],
		}).env(createGitEnvironment());
	const { workTree, gitDirectory } = repository;
	if (workTree === undefined) {
		// The inside of a repository's own directory is none.
		const isBare = await open(SAFE_CONFIG).checkIsRepo(CheckRepoActions.BARE);
		return { type: isBare ? "bare" : "outside" };
	}
	const names = await open(SAFE_CONFIG).raw(["config", "--list", "--name-only", "-z"]);
	const overrides = createFilterOverrides(names);
	if (overrides === undefined) return unavailable("unsafe");
	const git = open([...SAFE_CONFIG, ...overrides]);
	const [output, index] = await Promise.all([
		git.raw([`--work-tree=${workTree}`, ...STATUS_ARGS]),
		git.raw([`--work-tree=${workTree}`, "ls-files", "--full-name", "--stage", "-z", "--", ":/"]),
	]);
	const submodules = index.split("\0").filter((record) => record.startsWith(GITLINK_MODE)).length;
	const operation = findOperation(gitDirectory);
	return { type: "repository", ...readPorcelain(output), operation, submodules };
}

const OPTIONS = {
	allowEnvironment: [...GIT_VARIABLE_NAMES],
	// simple-git guards against settings that run programs; these only switch such programs off.
	unsafe: {
		allowUnsafeAskPass: true,
		allowUnsafeConfigPaths: true,
		allowUnsafeCustomBinary: true,
		allowUnsafeDiffExternal: true,
		allowUnsafeFilter: true,
		allowUnsafeFsMonitor: true,
		allowUnsafeHooksPath: true,
		allowUnsafePager: true,
		allowUnsafeProtocolOverride: true,
		allowUnsafeSshCommand: true,
	},
};

/** simple-git starts git itself; under the limits it starts a script that becomes git. */
function limitedBinary(program: string): { readonly binary: string | [string, string] } {
	if (!CAN_LIMIT_MEMORY) return { binary: program };
	return { binary: ["/bin/sh", fileURLToPath(new URL("./limited-git.sh", import.meta.url))] };
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

function unavailable(reason: Extract<GitStatus, { type: "unavailable" }>["reason"]): GitStatus {
	return { type: "unavailable", reason };
}

/** A changed path. `kind` is git's letter, M modified, A added, D deleted, R renamed, C copied, T type changed. */
export interface Change {
	readonly kind: string;
	readonly path: string;
}

export interface Changes {
	/** Undefined when HEAD is detached. */
	readonly branch: string | undefined;
	/** Undefined before the first commit. */
	readonly commit: string | undefined;
	/** Commits ahead of and behind the upstream branch; undefined without one. */
	readonly ahead: number | undefined;
	readonly behind: number | undefined;
	/** Changes of the index, against HEAD. */
	readonly staged: readonly Change[];
	/** Changes of the work tree, against the index. */
	readonly changed: readonly Change[];
	/** A directory without tracked files is named in place of its files, with `/` at the end. */
	readonly untracked: readonly string[];
	readonly conflicts: readonly string[];
}

/** Fields in front of the path, which comes last and may hold spaces, by the type of a record. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };

/** Reads `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
function readPorcelain(output: string): Changes {
	const headers = new Map<string, string>();
	const staged: Change[] = [];
	const changed: Change[] = [];
	const untracked: string[] = [];
	const conflicts: string[] = [];
	const records = output.split("\0").values();
	for (const record of records) {
		const [type = "", , index = "", workTree = ""] = record;
		if (type === "#") {
			const [, name = "", value = ""] = /^# (\S+) (.*)$/s.exec(record) ?? [];
			headers.set(name, value);
			continue;
		}
		const path = record.split(" ").slice(FIELDS[type]).join(" ");
		if (type === "?") untracked.push(path);
		if (type === "u") conflicts.push(path);
		if (type !== "1" && type !== "2") continue;
		if (index !== ".") staged.push({ kind: index, path });
		if (workTree !== ".") changed.push({ kind: workTree, path });
		// A rename's old path is a record of its own.
		if (type === "2") records.next();
	}
	return { ...readBranch(headers), staged, changed, untracked, conflicts };
}

function readBranch(headers: ReadonlyMap<string, string>) {
	const head = headers.get("branch.head");
	const commit = headers.get("branch.oid");
	const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "") ?? [];
	return {
		branch: head === "(detached)" ? undefined : head,
		commit: commit === "(initial)" ? undefined : commit,
		ahead: ahead === undefined ? undefined : Number(ahead),
		behind: behind === undefined ? undefined : Number(behind),
	};
}
